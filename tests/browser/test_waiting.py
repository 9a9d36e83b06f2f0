"""The field of a picture is hatched from when the page has room for it until the picture stands in it."""

HEIGHT = "(field) => field.getBoundingClientRect().height"


def test_the_field_is_hatched_only_while_no_picture_is_in_it(page_for):
    page = page_for("step", query={"on": "reverse", "say": "a b c d"})
    field = page.locator(".attnviz-mount").first
    assert field.evaluate(HEIGHT) == 0
    page.locator(".stepper").first.evaluate("(picture) => picture.remove()")
    assert field.evaluate(HEIGHT) > 200
    assert "gradient" in field.evaluate("(field) => getComputedStyle(field).backgroundImage")
