"""A limit that can only be raised."""


class AtLeast(int):
    """A whole number that yields to a higher one; made by `dynconf.at_least`."""

    def __repr__(self) -> str:
        return f"at_least({int(self)})"

    def over(self, below: object) -> "AtLeast":
        """Return the number to set where *below* is in force: the higher of the two."""
        return AtLeast(below) if type(below) in (int, AtLeast) and below > self else self  # type: ignore[operator, call-overload]
