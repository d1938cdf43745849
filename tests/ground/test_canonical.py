"""One spelling for what is hashed."""

import hashlib

import pytest

from ground.canonical import GENESIS_HASH, canonical_json, journal_hash, sha256_hex


def test_canonical_json_has_default_separators_sorted_keys_and_ascii():
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a": null, "b": [1, "\\u00e9"]}'


def test_canonical_json_refuses_a_number_that_is_none():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


def test_sha256_of_text_is_that_of_its_utf8():
    assert sha256_hex("é") == sha256_hex("é".encode()) == hashlib.sha256(b"\xc3\xa9").hexdigest()


def test_journal_hash_chains_on_the_one_before():
    row = {"seq": 1, "kind": "buy_in"}
    first = journal_hash(GENESIS_HASH, row)
    assert first == hashlib.sha256(b"0" * 64 + b'{"kind": "buy_in", "seq": 1}').hexdigest()
    assert journal_hash(first, row) != first
    assert journal_hash(GENESIS_HASH, dict(reversed(row.items()))) == first
