"""Names: what is kept of them, what is refused, and which of them are the same."""

from __future__ import annotations

from unicodedata import is_normalized, normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dicehall.core.game import Refused
from dicehall.hall.names import Name, numbered, read_name, skeletons_of
from dicehall.hall.skeletons import neighbours, prototypes, skeleton

KEPT = {
    "Ann": "Ann",
    "  Ann  ": "Ann",
    "Ann \u00a0 Lee": "Ann Lee",
    "Ａｎｎ": "Ann",  # full width
    "ﬁne": "fine",  # a ligature
    "Zoe\u0308": "Zoë",
    "Ⅷ": "VIII",
    "山田 太郎": "山田 太郎",
    "Ἀριστοτέλης": "Ἀριστοτέλης",
    "محمد": "محمد",
    "🎲": "🎲",
    "x" * 24: "x" * 24,
    f"  {'x' * 24}  ": "x" * 24,
    "\u3000Bo\u3000": "Bo",
}

REFUSED = {
    "nothing": "",
    "only spaces": "  \u00a0 ",
    "25 characters": "x" * 25,
    "24 that become more": "ﬃ" * 9,
    "a thousand": "x" * 1000,
    "a control character": "An\x07n",
    "a tab": "An\tn",
    "a line feed": "An\nn",
    "a line feed at the end": "Ann\n",
    "a separator of lines": "An\u2028n",
    "another script's space": "An\u1680n",
    "right-to-left override": "An\u202en",
    "right-to-left mark": "Ann\u200f",
    "an isolate": "\u2067Ann\u2069",
    "an Arabic letter mark": "Ann\u061c",
    "a joiner of no width": "An\u200dn",
    "a space of no width": "An\u200bn",
    "a byte order mark": "\ufeffAnn",
    "a soft hyphen": "An\u00adn",
    "a Hangul filler": "\u3164",
    "a half-width filler": "\uffa0Ann",
    "an empty Braille cell": "\u2800",
    "a variation selector": "Ann\ufe0f",
    "a tag": "Ann\U000e0041",
    "a lone surrogate": "Ann\ud800",
    "a private character": "\ue000",
    "an unassigned character": "\u0378",
    "an accent on nothing": "\u0301Ann",
    "an accent on a space": "Ann \u0301Lee",
    "a tower of accents": "x" + "\u0321\u0322\u0327\u0328\u0337",
}


@pytest.mark.parametrize(("raw", "text"), KEPT.items())
def test_a_name_is_kept_in_its_normal_form(raw: str, text: str) -> None:
    """W11: 1 to 24 characters."""
    assert read_name(raw).text == normalize("NFC", text)


@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED.keys())
def test_a_name_is_refused_with(raw: str) -> None:
    """W11: a name that is empty or longer than 24."""
    with pytest.raises(Refused) as refused:
        read_name(raw)
    assert refused.value.code == "bad_request"


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), min_size=1, max_size=20))
@example("a \u00b4")
@example("ﷺ b")
def test_a_name_read_again_is_the_same_name(raw: str) -> None:
    try:
        name = read_name(raw)
    except Refused:
        return
    assert read_name(name.text) == name
    assert is_normalized("NFKC", name.text)
    assert 1 <= len(name.text) <= 24
    assert name.text == " ".join(name.text.split(" "))
    assert all(name.skeletons)


SAME = [
    ("paypal", "раypal"),  # er and a are Cyrillic
    ("paypal", "PayPal"),
    ("PAYPAL", "раураl"),
    ("modern", "modem"),
    ("MODERN", "modem"),
    ("Ivy", "ivy"),
    ("Ivy", "lvy"),
    ("Ivy", "1vy"),
    ("lvy", "1vy"),
    ("ivy", "1VY"),
    ("Bill", "BiII"),
    ("Olaf", "0laf"),
    ("Olaf", "oIaf"),
    ("Kate", "Кate"),  # a Cyrillic capital whose small letter looks like another
    ("kate", "КATE"),
    ("Nina", "Νina"),  # a Greek one
    ("nina", "ΝINA"),
    ("Krnart", "Кmart"),  # alike only as they are written
    ("Вера", "вера"),
    ("ΝΙΚΟΣ", "νικος"),
    ("Straße", "STRASSE"),
    ("Zoë", "ZOË"),
    ("Ann Lee", "ann  lee"),
    ("∤", "ł"),
]

OTHER = [
    ("Ann", "Anne"),
    ("Zoe", "Zoë"),
    ("AnnLee", "Ann Lee"),
    ("Nan", "van"),  # though Greek has a letter that is N as a capital and looks like v when small
    ("yes", "ues"),
    ("Ann 2", "Ann 3"),
    ("van", "wan"),
    ("Bob", "Rob"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    """Also those that nobody is given any more because they mix scripts: somebody may have one from before."""
    assert skeletons_of(text_of(one)) & skeletons_of(text_of(other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_two_names_that_can_be_told_apart_are_not_the_same(one: str, other: str) -> None:
    assert not read_name(one).skeletons & read_name(other).skeletons


def text_of(raw: str) -> str:
    return " ".join(normalize("NFKC", raw).split())


DISGUISES = ["ᗩnn", "раypal", "Аnn", "Κate", "Ꭺnn", "Annа", "Rоot", "ᴀдmin", "Ann ⲟ", "ꓮnn"]
SCRIPTS = ["山田Taro", "はなこ花子", "カナ Kana", "김Kim", "Ann 2", "Анна 2", "O’Neill-Ś", "ᐃᓄᒃ", "Zoë 🎲", "ㄅㄆ漢字"]


@pytest.mark.parametrize("raw", DISGUISES)
def test_a_name_that_mixes_scripts_to_look_like_another_is_refused(raw: str) -> None:
    with pytest.raises(Refused, match="different scripts"):
        read_name(raw)


@pytest.mark.parametrize("raw", SCRIPTS)
def test_scripts_that_people_write_together_make_a_name(raw: str) -> None:
    assert read_name(raw).text == normalize("NFKC", raw)


@given(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=8))
def test_a_name_in_another_case_is_the_same_name(raw: str) -> None:
    try:
        names = [read_name(text) for text in (raw, raw.casefold(), raw.upper())]
    except Refused:
        return
    assert names[0].skeletons & names[1].skeletons
    assert names[0].skeletons & names[2].skeletons


def test_every_pair_of_the_list_of_unicode_has_one_skeleton() -> None:
    """But those of composed letters: a skeleton is made of decomposed ones."""
    pairs = [(one, other) for one, others in neighbours().items() for other in others]
    used = [pair for pair in pairs if all(len(end) > 1 or is_normalized("NFD", end) for end in pair)]
    assert len(used) > 10_000
    assert [pair for pair in used if skeleton(pair[0]) != skeleton(pair[1])] == []


SKELETONS = {
    "Il1|": "llll",
    "0O": "OO",
    "m": "rn",
    "раypal": "paypal",
    "ⅿ": "rn",
    "ł": "l\u0338",
    "۱": "l",
    "ו": "l",
    "ꭑ": "rn\u0323",
}


@pytest.mark.parametrize(("text", "bones"), SKELETONS.items())
def test_a_skeleton_is_what_the_list_of_unicode_says(text: str, bones: str) -> None:
    assert skeleton(text) == bones


def test_the_list_of_unicode_is_there_and_its_prototypes_are_final() -> None:
    assert len(prototypes()) > 6000
    letters = "abcdefghijklnopqrstuvwxyzABCDEFGHJKLMNOPQRSTUVWXYZ23456789"
    assert [letter for letter in letters if ord(letter) in prototypes()] == []


@pytest.mark.parametrize("raw", ["Ann", "x" * 24, "Bo " + "y" * 21, "i" * 20 + " abc"])
def test_a_numbered_name_is_a_name_with_room_for_its_number(raw: str) -> None:
    names = {number: numbered(read_name(raw), number) for number in (2, 10, 987654321)}
    for number, name in names.items():
        assert name.text.endswith(f" {number}")
        assert "  " not in name.text
        assert len(name.text) <= 24
        assert name.text[:4] == raw[:4] or raw == "Ann"
    assert numbered(read_name("Ann"), 2) == Name("Ann 2", "ann 2", frozenset({"ann 2"}))
