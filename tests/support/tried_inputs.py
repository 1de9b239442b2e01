"""Property tests that fail unless they were tried: an example that `assume` turns away does not count."""

import functools

import pytest
from hypothesis import given, settings


def tried(few, many, **strategies):
    """Try a property on `few` examples drawn from the strategies, in the slow suite on `many`.

    Fewer that were tried to the end are a failure.
    """

    def decorate(test):
        @pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.slow)])
        def test_and_count(number):
            ended = 0

            @settings(max_examples=number)
            @given(**strategies)
            @functools.wraps(test)
            def counted(**example):
                nonlocal ended
                test(**example)
                ended += 1

            counted()
            assert ended >= number, f"{ended} of {number} examples were tried to the end"

        return test_and_count

    return decorate
