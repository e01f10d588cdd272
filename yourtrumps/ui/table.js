// Draws a TableView and reports what the player wants. No rule of the game is in here.

const SUITS = {
  H: "M12 21C5 15 2 11.5 2 7.8A5 5 0 0 1 12 6A5 5 0 0 1 22 7.8C22 11.5 19 15 12 21Z",
  D: "M12 1.5L20 12L12 22.5L4 12Z",
  S: "M12 2C17 7.5 21 10.5 21 14.3A4.6 4.6 0 0 1 13.2 17.2C13.3 19.5 14 21 15.5 22H8.5C10 21 10.7 19.5 10.8 17.2A4.6 4.6 0 0 1 3 14.3C3 10.5 7 7.5 12 2Z",
  C: "M12 2a4.6 4.6 0 0 1 3.6 7.4a4.6 4.6 0 1 1-2.4 7.5C13.3 19.5 14 21 15.5 22H8.5C10 21 10.7 19.5 10.8 16.9a4.6 4.6 0 1 1-2.4-7.5A4.6 4.6 0 0 1 12 2Z",
}
const SUIT_ROWS = "CDHS"
const LARGEST_FILE = 2_000_000
const DRAG_FROM = 8

function make(tag, className, parent, text) {
  const node = document.createElement(tag)
  if (className) node.className = className
  if (text !== undefined) node.textContent = text
  if (parent) parent.append(node)
  return node
}

function suitMark(suit) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("class", `suit suit-${suit}`)
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path")
  path.setAttribute("d", SUITS[suit])
  svg.append(path)
  return svg
}

function drawFace(node, face) {
  node.dataset.card = face.code
  node.dataset.suit = face.suit
  const corner = make("span", "corner", node)
  make("span", "rank", corner, face.rank)
  corner.append(suitMark(face.suit))
  const middle = make("span", "middle", node)
  middle.append(suitMark(face.suit))
  for (const part of [corner, middle]) part.setAttribute("aria-hidden", "true")
}

// Keeps the children of parent in the order of items, one node a key, and makes or removes only what changes:
// replacing nodes would drop the keyboard focus.
function sync(parent, items, key, create, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]))
  let at = parent.firstElementChild
  for (const item of items) {
    const name = key(item)
    let node = old.get(name)
    old.delete(name)
    if (!node) {
      node = create(item)
      node.dataset.key = name
    }
    update(node, item)
    if (node === at) at = at.nextElementSibling
    else parent.insertBefore(node, at)
  }
  for (const node of old.values()) node.remove()
}

class Table {
  constructor(model, el) {
    this.model = model
    this.texts = model.texts
    this.pending = false
    this.dragged = false
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)")
    this.build(el)
    this.listen()
    if (model.ticket) {
      document.cookie = `yourtrumps_game=${model.ticket}; path=/; max-age=5184000; SameSite=Lax`
      // The position of a link has been set up and is kept from here on: a reload should go on, not begin again.
      const address = new URL(location.href)
      if (address.searchParams.has("code")) {
        address.searchParams.delete("code")
        history.replaceState(null, "", address)
      }
    }
    this.applyLook()
    this.draw(false)
    if (model.inline) this.greet()
  }

  // What happens while a notebook's page is being made is not sent to it: it asks, until it is answered.
  greet() {
    this.greeting = setInterval(() => this.model.send_msg({ type: "hello" }), 700)
    this.model.send_msg({ type: "hello" })
  }

  // --- Building once

  build(el) {
    const t = this.texts
    const root = (this.root = make("div", "yt", el))
    root.lang = document.documentElement.lang || "en"
    this.choice = make("section", "choice", root)
    this.play = make("div", "play", root)
    this.others = make("div", "others", this.play)
    const middle = make("div", "middle-row", this.play)
    this.felt = make("section", "felt", middle)
    this.felt.setAttribute("aria-label", t.pile)
    this.lastTurn = make("div", "last-turn", this.felt)
    this.pile = make("div", "pile", this.felt)
    this.emptyPile = make("div", "empty-pile", this.felt, t.empty)
    this.fan = this.button("pile", t.wholePile, this.felt, () => this.toggleFan(), "quiet")
    const side = make("aside", "side", middle)
    make("h2", "", side, t.moves)
    this.turns = make("ol", "turns", side)
    this.turns.tabIndex = 0
    this.turns.setAttribute("aria-label", t.moves)
    const steps = make("div", "steps", side)
    this.steps = [
      this.button("first", "⏮", steps, () => this.goto(0), "icon", t.first),
      this.button("back", "◀", steps, () => this.goto(this.view.version - 1), "icon", t.back),
      this.button("forward", "▶", steps, () => this.goto(this.view.version + 1), "icon", t.forward),
      this.button("last", "⏭", steps, () => this.goto(this.view.total), "icon", t.last),
    ]
    const asking = make("div", "asking", this.play)
    this.ask = make("p", "ask", asking)
    this.ask.setAttribute("role", "status")
    this.up = this.button("up", "", asking, () => this.move("up"), "main")
    this.end = make("div", "end", this.play)
    this.endTitle = make("strong", "", this.end)
    this.endReason = make("span", "", this.end)
    this.endRematch = this.button("rematch", t.rematch, this.end, () => this.send({ type: "rematch" }), "main")
    this.endReview = this.button("review", t.review, this.end, () => this.goto(0))
    this.note = make("p", "note", this.play)
    this.note.setAttribute("role", "status")
    this.mine = make("div", "mine", this.play)
    this.mineSeat = this.makeSeat(this.mine)
    this.hand = make("div", "hand", this.play)
    this.hand.setAttribute("role", "group")
    this.hand.setAttribute("aria-label", t.hand)
    this.why = make("p", "why", this.play)
    this.why.setAttribute("role", "status")
    const actions = make("div", "actions", this.play)
    this.undo = this.button("undo", t.undo, actions, () => this.send({ type: "undo" }))
    this.redo = this.button("redo", t.redo, actions, () => this.send({ type: "redo" }))
    this.hint = this.button("hint", t.hint, actions, () => this.send({ type: "hint" }))
    this.resign = this.button("resign", t.resign, actions, () => this.sureDialog.showModal())
    this.button("new-game", t.newGame, actions, () => this.send({ type: "new-game" }))
    this.save = this.button("save", t.save, actions, () => this.send({ type: "save" }))
    this.button("open", t.open, actions, () => this.file.click())
    this.link = this.button("link", t.link, actions, () => this.send({ type: "link" }))
    this.button("help", t.help, actions, () => this.helpDialog.showModal())
    this.file = make("input", "file", this.root)
    this.file.type = "file"
    this.file.accept = ".txt,.json,text/plain,application/json"
    this.file.setAttribute("aria-label", t.open)
    this.file.tabIndex = -1
    this.flights = make("div", "flights", root)
    this.flights.setAttribute("aria-hidden", "true")
    this.buildDialogs()
    this.observer = new ResizeObserver(() => {
      this.handWidth = this.hand.clientWidth
      this.layOutHand()
    })
    this.observer.observe(this.hand)
  }

  buildDialogs() {
    const t = this.texts
    this.helpDialog = make("dialog", "help", this.root)
    this.helpDialog.setAttribute("aria-label", t.help)
    const list = make("ul", "", this.helpDialog)
    for (const key of ["keyArrows", "keyEnter", "keyUp", "keyUndo", "keyHint", "keyPile", "keyHelp"]) make("li", "", list, t[key])
    this.button("close", t.close, this.helpDialog, () => this.helpDialog.close(), "main")
    this.sureDialog = make("dialog", "sure", this.root)
    this.sureDialog.setAttribute("aria-label", t.resign)
    make("p", "", this.sureDialog, t.sure)
    this.button("resign-yes", t.yes, this.sureDialog, () => {
      this.sureDialog.close()
      this.send({ type: "resign", version: this.view.version })
    }, "main")
    this.button("resign-no", t.no, this.sureDialog, () => this.sureDialog.close())
  }

  button(action, label, parent, act, className = "", name = "") {
    const node = make("button", `button ${className}`, parent, label)
    node.type = "button"
    node.dataset.action = action
    if (name) {
      node.setAttribute("aria-label", name)
      node.title = name
    }
    node.addEventListener("click", act)
    return node
  }

  makeSeat(parent) {
    const seat = make("div", "seat", parent)
    seat.nameNode = make("strong", "name", seat)
    seat.trump = make("span", "trump", seat)
    seat.trump.setAttribute("role", "img")
    seat.count = make("span", "count", seat)
    seat.score = make("span", "score", seat)
    return seat
  }

  listen() {
    const model = this.model
    model.on("view", () => this.draw(true))
    model.on("look", () => this.applyLook())
    model.on("msg:custom", (message) => this.receive(message))
    this.file.addEventListener("change", () => this.openFile())
    this.root.addEventListener("keydown", (event) => this.onKey(event))
    // Keys work from anywhere on the page, unless something else there takes text or arrows.
    this.onPageKey = (event) => {
      if (event.target === document.body) this.onKey(event)
    }
    document.addEventListener("keydown", this.onPageKey)
    model.on("remove", () => {
      document.removeEventListener("keydown", this.onPageKey)
      this.observer.disconnect()
      clearInterval(this.greeting)
    })
    this.hand.addEventListener("click", (event) => this.onCard(event))
    this.hand.addEventListener("pointerdown", (event) => this.startDrag(event))
    for (const kind of ["pointerover", "focusin"]) this.hand.addEventListener(kind, (event) => this.explain(event))
    for (const kind of ["pointerleave", "focusout"]) this.hand.addEventListener(kind, () => (this.why.textContent = ""))
  }

  // --- Talking with the server

  send(message) {
    this.note.textContent = ""
    this.model.send_msg(message)
  }

  move(card) {
    // One move a view: a double click must not play a second card.
    if (this.pending) return
    this.pending = true
    this.root.classList.add("waiting")
    this.send({ type: "move", card, version: this.view.version })
  }

  goto(cursor) {
    if (cursor >= 0 && cursor <= this.view.total) this.send({ type: "goto", cursor })
  }

  receive(message) {
    if (message && message.type === undefined && message.data) message = message.data
    if (message.type === "welcome") return clearInterval(this.greeting)
    this.release()
    if (message.type === "refused") this.say(message.text, "refused")
    if (message.type === "hint") this.showHint(message)
    if (message.type === "file") this.keepFile(message)
    if (message.type === "link") this.copyLink(message)
  }

  release() {
    this.pending = false
    this.root.classList.remove("waiting")
  }

  say(text, kind = "") {
    this.note.textContent = text
    this.note.className = `note ${kind}`
  }

  showHint(message) {
    this.say(message.text, "hint")
    this.root.querySelectorAll(".hinted").forEach((node) => node.classList.remove("hinted"))
    const node = message.card === "up" ? this.up : this.cardNode(message.card)
    if (node) node.classList.add("hinted")
  }

  keepFile(message) {
    const link = make("a", "", this.root)
    link.href = URL.createObjectURL(new Blob([message.text], { type: "text/plain" }))
    link.download = message.name
    link.click()
    URL.revokeObjectURL(link.href)
    link.remove()
    this.say(this.texts.saved)
  }

  async copyLink(message) {
    const address = `${location.origin}${location.pathname}?code=${encodeURIComponent(message.code)}`
    this.root.dataset.link = address
    try {
      await navigator.clipboard.writeText(address)
      this.say(this.texts.copied)
    } catch {
      this.say(address)
    }
  }

  async openFile() {
    const file = this.file.files[0]
    this.file.value = ""
    if (!file) return
    if (file.size > LARGEST_FILE) this.say(this.texts.tooBig, "refused")
    else this.send({ type: "open", text: await file.text() })
  }

  // --- Drawing

  applyLook() {
    const look = this.model.look
    this.root.dataset.theme = look.theme || "auto"
    this.root.classList.toggle("four", Boolean(look.four))
    this.sound = Boolean(look.sound)
  }

  draw(animated) {
    const before = animated && !this.calm.matches ? this.places() : null
    const previous = this.view
    this.view = this.model.view
    this.release()
    const choosing = Boolean(this.view.choosing)
    this.choice.hidden = !choosing
    this.play.hidden = choosing
    if (choosing) return this.drawChoice()
    const view = this.view
    Object.assign(this.root.dataset, {
      version: view.version, toMove: view.toMove, phase: view.phase, result: view.result,
    })
    this.drawOthers()
    this.drawPile()
    this.drawTurns()
    this.drawHand()
    this.drawAsking()
    if (before && previous && !previous.choosing) this.animate(before, previous)
    if (previous && previous.version !== view.version) this.say(view.repeats)
    else if (!this.note.textContent) this.say(view.repeats)
  }

  drawChoice() {
    for (const name of ["version", "toMove", "phase", "result"]) delete this.root.dataset[name]
    const view = this.view
    this.choice.replaceChildren()
    make("h2", "", this.choice, view.title)
    make("p", "", this.choice, view.text)
    const suits = make("div", "suits", this.choice)
    for (const suit of view.choosing) {
      const node = make("button", "choose", suits)
      node.type = "button"
      node.dataset.trump = suit.suit
      node.dataset.suit = suit.suit
      node.disabled = !suit.free
      node.append(suitMark(suit.suit))
      make("span", "", node, suit.name)
      node.addEventListener("click", () => this.send({ type: "trump", suit: suit.suit }))
    }
    const open = this.button("open-first", this.texts.open, this.choice, () => this.file.click(), "quiet")
    open.classList.add("open-first")
  }

  drawSeat(node, seat) {
    node.classList.toggle("moves", seat.moves)
    node.nameNode.textContent = seat.name
    if (node.trump.dataset.suit !== seat.trump) {
      node.trump.replaceChildren(suitMark(seat.trump))
      node.trump.dataset.suit = seat.trump
    }
    node.trump.setAttribute("aria-label", seat.trumpName)
    node.trump.title = seat.trumpName
    node.count.textContent = seat.countName
    node.score.textContent = seat.score
    node.score.title = seat.scoreName
    node.score.setAttribute("aria-label", seat.scoreName)
    node.score.setAttribute("role", "img")
  }

  drawOthers() {
    sync(this.others, this.view.others, (seat) => `seat${seat.seat}`, () => {
      const node = make("div", "other")
      node.seat = this.makeSeat(node)
      node.cards = make("div", "backs", node)
      return node
    }, (node, seat) => {
      this.drawSeat(node.seat, seat)
      node.dataset.hiddenCount = seat.count - seat.cards.length
      const backs = Array.from({ length: seat.count - seat.cards.length }, (_, index) => ({ code: `back${index}` }))
      node.cards.style.setProperty("--n", Math.max(1, seat.count))
      sync(node.cards, [...backs, ...seat.cards], (card) => card.code, (card) => {
        const drawn = make("div", card.suit ? "card small" : "card back small")
        if (card.suit) {
          drawFace(drawn, card)
          drawn.setAttribute("role", "img")
          drawn.setAttribute("aria-label", card.name)
        }
        return drawn
      }, () => {})
    })
  }

  drawPile() {
    const view = this.view
    const marked = new Set(view.last ? view.last.cards : [])
    const size = view.pile.length
    sync(this.pile, view.pile.map((face, index) => ({ ...face, index })), (face) => face.code, (face) => {
      const node = make("div", "card")
      drawFace(node, face)
      node.setAttribute("role", "img")
      node.setAttribute("aria-label", face.name)
      return node
    }, (node, face) => {
      node.dataset.pile = face.index
      const depth = size - 1 - face.index
      node.style.setProperty("--depth", depth)
      node.classList.toggle("deep", depth > 5)
      node.classList.toggle("top", depth === 0)
      node.classList.toggle("marked", marked.has(face.code))
    })
    this.pile.style.setProperty("--shown", Math.min(size, 6))
    this.emptyPile.hidden = size > 0
    this.fan.hidden = size < 2
    if (size < 2) this.felt.classList.remove("fanned")
    this.labelFan()
    this.lastTurn.replaceChildren()
    const last = view.turns.at(-1)
    if (last) this.drawTurnText(this.lastTurn, last)
  }

  labelFan() {
    const open = this.felt.classList.contains("fanned")
    this.fan.textContent = open ? this.texts.lessPile : `${this.texts.wholePile} (${(this.view.pile || []).length})`
    this.fan.setAttribute("aria-expanded", String(open))
  }

  toggleFan() {
    this.felt.classList.toggle("fanned")
    this.labelFan()
  }

  drawTurnText(node, turn) {
    make("span", "who", node, turn.name)
    for (const card of turn.cards) {
      const drawn = make("bdi", "mini", node)
      drawn.dataset.suit = card.suit
      make("span", "", drawn, card.rank)
      drawn.append(suitMark(card.suit))
    }
    if (turn.picked) make("span", "picked", node, turn.picked)
  }

  drawTurns() {
    const turns = this.view.turns
    sync(this.turns, turns.map((turn, index) => ({ ...turn, index })), (turn) => `${turn.index}:${turn.text}`, (turn) => {
      const node = make("li", "turn")
      const step = make("button", "turn-button", node)
      step.type = "button"
      step.tabIndex = -1
      this.drawTurnText(step, turn)
      step.setAttribute("aria-label", turn.text)
      step.addEventListener("click", () => this.goto(turn.after))
      return node
    }, () => {})
    requestAnimationFrame(() => (this.turns.scrollTop = this.turns.scrollHeight))
    const view = this.view
    this.disable(this.steps[0], view.version === 0)
    this.disable(this.steps[1], view.version === 0)
    this.disable(this.steps[2], view.version === view.total)
    this.disable(this.steps[3], view.version === view.total)
  }

  // A button that is disabled for good loses the focus; one that is only marked so keeps it.
  disable(node, off) {
    node.setAttribute("aria-disabled", String(off))
    node.classList.toggle("off", off)
  }

  drawAsking() {
    const view = this.view
    this.ask.textContent = view.ask
    this.ask.parentNode.classList.toggle("told", Boolean(view.end))
    this.up.textContent = view.up.label
    this.up.hidden = !view.pile.length || Boolean(view.end)
    this.up.disabled = !view.up.enabled
    this.undo.disabled = !view.canUndo
    this.redo.hidden = !view.canRedo
    const mine = view.hand.some((card) => card.playable) || view.up.enabled
    this.hint.disabled = !mine
    this.resign.disabled = Boolean(view.result) || view.version !== view.total
    this.save.disabled = this.link.disabled = !view.canShare
    this.save.title = this.link.title = view.canShare ? "" : this.texts.hidden
    this.end.hidden = !view.end
    this.play.classList.toggle("my-turn", mine)
    if (view.end) {
      this.end.dataset.kind = view.end.kind
      this.endTitle.textContent = view.end.title
      this.endReason.textContent = view.end.reason
    }
    this.drawSeat(this.mineSeat, view.mine)
  }

  drawHand() {
    const view = this.view
    const focused = this.root.getRootNode().activeElement
    const hadFocus = focused && this.hand.contains(focused) ? focused : null
    const at = hadFocus ? [...this.hand.children].indexOf(hadFocus) : -1
    this.hand.classList.toggle("over", Boolean(view.end))
    sync(this.hand, view.hand, (face) => face.code, (face) => {
      const node = make("button", "card")
      node.type = "button"
      drawFace(node, face)
      node.style.setProperty("--col", face.order)
      node.style.setProperty("--row", SUIT_ROWS.indexOf(face.suit) + 1)
      return node
    }, (node, face) => {
      node.setAttribute("aria-disabled", String(!face.playable))
      node.setAttribute("aria-label", [face.name, face.trump ? this.texts.yourTrumps : "", face.why || ""].filter(Boolean).join(", "))
      node.dataset.why = face.why || ""
      node.classList.toggle("trump", face.trump)
      node.classList.remove("hinted")
    })
    this.up.classList.remove("hinted")
    this.layOutHand()
    const nodes = [...this.hand.children]
    const current = (hadFocus && hadFocus.isConnected && hadFocus) || nodes[Math.min(Math.max(at, 0), nodes.length - 1)]
    nodes.forEach((node) => (node.tabIndex = node === current ? 0 : -1))
    if (hadFocus && !hadFocus.isConnected && current) current.focus({ preventScroll: true })
  }

  layOutHand() {
    const cards = [...this.hand.children]
    if (!cards.length || this.view.choosing) return
    // Asking the page for a width it has not laid out yet would make it lay everything out once more a move.
    const width = this.handWidth || this.hand.clientWidth
    const orders = this.view.hand.map((face) => face.order)
    const low = Math.min(...orders)
    this.hand.style.setProperty("--low", low)
    this.hand.style.setProperty("--ranks", 15 - low)
    const grid = cards.length * 46 > width || cards.length > 24
    this.hand.classList.toggle("grid", grid)
    const card = 68
    const step = cards.length > 1 ? Math.min(card + 6, (width - card - 4) / (cards.length - 1)) : card
    this.hand.style.setProperty("--overlap", `${Math.min(0, step - card)}px`)
    this.hand.style.setProperty("--space", `${Math.max(0, step - card)}px`)
  }

  cardNode(code) {
    return this.hand.querySelector(`[data-card="${code}"]`)
  }

  // --- Playing

  onCard(event) {
    const node = event.target.closest("button[data-card]")
    if (!node || this.dragged) return
    if (node.getAttribute("aria-disabled") === "true") {
      this.why.textContent = node.dataset.why
      return
    }
    this.move(node.dataset.card)
  }

  explain(event) {
    const node = event.target.closest("button[data-card]")
    this.why.textContent = node ? node.dataset.why : ""
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.helpDialog.open || this.sureDialog.open) return
    if (this.view.choosing) return
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
    const act = {
      u: () => !this.up.disabled && !this.up.hidden && this.up.click(),
      z: () => this.undo.click(),
      h: () => this.hint.click(),
      p: () => this.toggleFan(),
      "?": () => this.helpDialog.showModal(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    const inTurns = event.composedPath().includes(this.turns)
    if (event.key in arrows && !inTurns) this.moveFocus(...arrows[event.key])
    else if (event.key === "Home" && !inTurns) this.focusCard(this.hand.firstElementChild)
    else if (event.key === "End" && !inTurns) this.focusCard(this.hand.lastElementChild)
    else if (act) act()
    else return
    event.preventDefault()
  }

  focusCard(node) {
    if (!node) return
    for (const card of this.hand.children) card.tabIndex = card === node ? 0 : -1
    node.focus()
  }

  moveFocus(dx, dy) {
    const cards = [...this.hand.children]
    const focused = this.root.getRootNode().activeElement
    const at = cards.indexOf(focused)
    if (at < 0) return this.focusCard(cards.find((node) => node.tabIndex === 0) || cards[0])
    if (getComputedStyle(this.root).direction === "rtl") dx = -dx
    if (dx || !this.hand.classList.contains("grid")) return this.focusCard(cards[at + (dx || dy)])
    const here = focused.getBoundingClientRect()
    const there = cards
      .map((node) => ({ node, box: node.getBoundingClientRect() }))
      .filter(({ box }) => (box.top - here.top) * dy > 4)
      .sort((a, b) => Math.abs(a.box.top - here.top) - Math.abs(b.box.top - here.top) || Math.abs(a.box.left - here.left) - Math.abs(b.box.left - here.left))
    if (there.length) this.focusCard(there[0].node)
  }

  startDrag(event) {
    this.dragged = false
    const node = event.target.closest("button[data-card]")
    if (!node || event.button || node.getAttribute("aria-disabled") === "true") return
    const start = { x: event.clientX, y: event.clientY }
    let flying = null
    const onMove = (moved) => {
      const dx = moved.clientX - start.x
      const dy = moved.clientY - start.y
      if (!flying && Math.hypot(dx, dy) > DRAG_FROM) {
        flying = this.fly(node, node.getBoundingClientRect())
        node.classList.add("lifted")
        this.felt.classList.add("target")
        this.dragged = true
      }
      if (flying) flying.style.transform = `translate(${dx}px, ${dy}px)`
    }
    const onEnd = (ended) => {
      for (const [kind, handler] of Object.entries(handlers)) window.removeEventListener(kind, handler)
      if (!flying) return
      flying.remove()
      node.classList.remove("lifted")
      this.felt.classList.remove("target")
      const box = this.felt.getBoundingClientRect()
      const inside = ended.clientX > box.left && ended.clientX < box.right && ended.clientY > box.top && ended.clientY < box.bottom
      if (ended.type === "pointerup" && inside) {
        this.droppedAt = { x: ended.clientX, y: ended.clientY }
        this.move(node.dataset.card)
      }
      // The click that follows a drag is not a choice.
      setTimeout(() => (this.dragged = false))
    }
    const handlers = { pointermove: onMove, pointerup: onEnd, pointercancel: onEnd }
    for (const [kind, handler] of Object.entries(handlers)) window.addEventListener(kind, handler)
  }

  // --- Animation: from where each card was to where it is

  places() {
    const boxes = new Map()
    for (const node of this.root.querySelectorAll(".hand .card, .pile .card, .backs .card[data-card]")) {
      const { left, top, width, height } = node.getBoundingClientRect()
      boxes.set(node.dataset.card, { left, top, width, height, zone: node.parentNode })
    }
    for (const other of this.others.children) boxes.set(other.dataset.key, other.cards.getBoundingClientRect())
    return boxes
  }

  fly(node, box) {
    const copy = node.cloneNode(true)
    copy.removeAttribute("data-card")
    copy.removeAttribute("data-pile")
    copy.classList.add("flying")
    copy.tabIndex = -1
    const origin = this.root.getBoundingClientRect()
    Object.assign(copy.style, { left: `${box.left - origin.left}px`, top: `${box.top - origin.top}px`, width: `${box.width}px`, height: `${box.height}px` })
    this.flights.append(copy)
    return copy
  }

  animate(before, previous) {
    if (this.view.version === previous.version) return
    let moved = false
    for (const node of this.root.querySelectorAll(".pile .card, .hand .card")) {
      let from = before.get(node.dataset.card)
      // Cards that only make room need no flight: it would hold the played card's first frame back.
      if (from && from.zone === node.parentNode) continue
      const now = node.getBoundingClientRect()
      if (!from) {
        const seat = before.get(`seat${previous.toMove}`)
        if (!seat) continue
        from = { left: seat.left + seat.width / 2 - now.width / 2, top: seat.top, width: now.width, height: now.height }
      }
      if (this.droppedAt && node.parentNode === this.pile && node.classList.contains("top")) {
        from = { left: this.droppedAt.x - now.width / 2, top: this.droppedAt.y - now.height / 2, width: now.width, height: now.height }
      }
      const dx = from.left - now.left
      const dy = from.top - now.top
      if (Math.abs(dx) + Math.abs(dy) < 2) continue
      moved = true
      node.animate(
        [{ transform: `translate(${dx}px, ${dy}px) scale(${from.width / now.width || 1})`, transformOrigin: "0 0", zIndex: 20 }, { transform: "none", transformOrigin: "0 0", zIndex: 20 }],
        { duration: 260, easing: "cubic-bezier(.2,.8,.3,1)" },
      )
    }
    this.droppedAt = null
    this.animatePickUp(before, previous)
    if (moved && this.sound) this.click()
  }

  // What another seat picks up leaves the table: its cards fly to that seat and are gone.
  animatePickUp(before, previous) {
    const here = new Set([...this.view.pile, ...this.view.hand].map((card) => card.code))
    const other = this.others.querySelector(`[data-key="seat${previous.toMove}"]`)
    if (!other) return
    const target = other.cards.getBoundingClientRect()
    for (const card of previous.pile) {
      const from = before.get(card.code)
      if (here.has(card.code) || !from) continue
      const node = make("div", "card")
      drawFace(node, card)
      const flying = this.fly(node, from)
      const move = flying.animate(
        [{ transform: "none", opacity: 1 }, { transform: `translate(${target.left + target.width / 2 - from.left - from.width / 2}px, ${target.top - from.top}px) scale(.6)`, opacity: 0.2 }],
        { duration: 320, easing: "ease-in" },
      )
      move.onfinish = move.oncancel = () => flying.remove()
    }
  }

  click() {
    const Context = window.AudioContext
    if (!Context) return
    this.audio ??= new Context()
    const audio = this.audio
    const tone = audio.createOscillator()
    const gain = audio.createGain()
    tone.type = "triangle"
    tone.frequency.setValueAtTime(320, audio.currentTime)
    tone.frequency.exponentialRampToValueAtTime(140, audio.currentTime + 0.07)
    gain.gain.setValueAtTime(0.12, audio.currentTime)
    gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09)
    tone.connect(gain).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + 0.1)
  }
}

export function render({ model, el }) {
  new Table(model, el)
}
