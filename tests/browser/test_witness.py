"""The browser's own fixtures notice what a test of a page must not overlook."""

import pytest


@pytest.mark.parametrize(
    ("event", "script", "complaint"),
    [
        pytest.param("console", "console.error('spilt')", "console error: spilt", id="console"),
        pytest.param("pageerror", "setTimeout(() => { throw new Error('torn') })", "script error: torn", id="script"),
        pytest.param(
            "requestfailed", "fetch('http://a.example/').catch(() => 0)", "request past loopback", id="internet"
        ),
    ],
)
def test_witness_reports_what_a_page_does_wrong(page, witness, event, script, complaint):
    with page.expect_event(event):
        page.evaluate(script)
    assert any(complaint in one for one in witness.unexpected())
    witness.allowed += ["spilt", "torn", "a.example"]
    assert witness.unexpected() == []


def test_page_has_the_size_that_the_test_asks_for(page, viewport):
    assert (page.evaluate("innerWidth"), page.evaluate("innerHeight")) == viewport
