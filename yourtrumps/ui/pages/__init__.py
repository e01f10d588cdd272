"""The pages: each a function that builds what one visitor sees."""
