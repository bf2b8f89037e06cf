"A question by its name, as it is typed in a shell. More cases: test_explaining.py."
import pytest

from sampling_eval.verbs.questions import (COMPARED, LENGTH, find_near, find_printed, find_question, quote_name,
                                           split_words)


@pytest.mark.parametrize("words, about, said", [
    (["a.json", "8", "9"], None, "^no file to read at '8'; put quotes around the name of a question that has spaces$"),
    (["a.json", "8"], "9", "no file to read at '8'"), (["a.json", "b.json", "7"], "8",
                                                       "got 3 words; put quotes around a name with spaces, and"),
    (["a.json", "b.json", "7", "8"], None, "explain takes one or two files and a question, got 4 words")])
def test_words_that_are_too_many(words, about, said):
    with pytest.raises(ValueError, match=said): split_words(words, about)


@pytest.mark.parametrize("names, wanted, place", [
    ([1, 1.0, "1"], "1", 2), ([1, True], True, 1), ([True, 1], 1, 1), (["1", 1], 1, 1), (["a", "a"], "a", 0),
    ([1, 2.5], "2.5", 1), ([None, "x"], "None", 0),
    (["ab", "a b"], "a b", 1), ([7, "\x1b7"], "\ufffd7", 1), (["q\t1\nx", "q1x"], "q 1 x", 0),
    (["long name one", "other"], "long na…", 0)])
def test_a_name_or_what_reads_like_it(names, wanted, place): assert find_question(names, wanted) == place


@pytest.mark.parametrize("names, wanted, said", [
    (["one a", "one b"], "one…", "^2 questions read like 'one…'; pass the name itself, a number as a number$"),
    ([1, 1.0], "x", "^there is no question 'x' among the 2; they are named like '1', '1.0'$"),
    ([1, 2, 3, 4], "x", "they are named like '1', '2', '3'$"),
    (["abcd", "abce", "abcf", "abcg"], "abc", "did you mean 'abcd' or 'abce' or 'abcf'.$")])
def test_names_that_are_not_there(names, wanted, said):
    with pytest.raises(ValueError, match=said): find_question(names, wanted)


def test_names_as_they_are_printed():
    assert find_printed(["a\x00b", "a\ufffdb", "ab"], "a\ufffdb") == [0, 1]
    assert find_printed(["abc", "abd", "xab"], "ab…") == [0, 1]
    assert find_printed(["abc"], "…") == [] == find_printed(["abc"], "ab")
    assert find_printed(["abc", "ab…"], "ab…") == [1]
    # Of a long name the start is looked at.
    assert find_printed(["a b" + " " * 996 + "cd"], "a b c") == [0]
    assert find_printed(["a b" + " " * 997 + "cd"], "a b") == [0]


def test_names_that_are_near():
    assert find_near(["xx50", "x50", "yyy50", "50", "z"], "50") == ["'50'", "'x50'", "'xx50'"]
    assert find_near(["ABC/1"], "abc") == ["'ABC/1'"] and find_near(["q"], "") == [] and find_near([], "q") == []
    assert find_near(["abcdefgh", "zzzz"], "abcdefzz") == ["'abcdefgh'"] and find_near(["abcdefgh"], "abczzzzz") == []
    # Six tenths alike are near, a little less is not.
    assert find_near(["abcxx"], "abcyy") == ["'abcxx'"] and find_near(["abcxxy"], "abczzzz") == []
    start = "s" * LENGTH
    assert find_near([f"{start}one"], f"{start}two") == [quote_name(f"{start}one")]
    far = [f"{i:08}" for i in range(COMPARED)]
    assert find_near([*far[1:], "question/x"], "qestion/x") == ["'question/x'"]
    assert find_near([*far, "question/x"], "qestion/x") == []
