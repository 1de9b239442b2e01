"""What a document may be made of."""


def is_plain(value):
    """Return whether a value and all it holds are of the types that JSON has, not those of NumPy."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(part) for key, part in value.items())
    return (
        all(is_plain(part) for part in value)
        if type(value) is list
        else type(value) in (str, int, float, bool, type(None))
    )
