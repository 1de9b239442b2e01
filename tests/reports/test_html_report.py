import json
import os
import re
from fractions import Fraction
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from solver.game.arrangement import Arrangement
from solver.game.evaluator import CATEGORIES, categories_of, evaluate_hands
from solver.language.numbers import percent
from solver.reports.html_page import Markup, element
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.command import write_mix
from tests.support.d1 import FIXTURES, REMOVED, ROWS
from tests.support.in_process import run_here

VOID = {"meta"}
SORT_KEYS = "return [...document.querySelectorAll('.mix tbody tr')].map(row => +row.cells[arguments[0]].dataset.sort)"
GREEDY = ("--opponent", "greedy-shuffled")


class Reader(HTMLParser):
    """Collects the elements of a page, and complains where they are not nested."""

    def __init__(self):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)

    def of_class(self, name):
        return [given for _, given in self.elements if name in (given.get("class") or "").split()]


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


COMMANDS = {
    "solve": ["solve", "--removed", REMOVED, *GREEDY, "--top", 3],
    "sampled": ["solve", "--removed", REMOVED, "--objective", "win", "--engine", "enumerate", "--opponent", "random"],
    "unready": ["solve", "--removed", REMOVED, "--time-limit", 0],
    "grade": ["grade", ROWS["A"], *GREEDY],
    "best": [
        "grade",
        "QhJhTd9h8h|AsAhAdKhKd|QsJsTs9s8s|AcKcQcJcTc|Jd9d8c7d7c",
        "--opponent",
        "greedy",
        "--objective",
        "margin",
    ],
    "equilibrium": ["equilibrium", "--removed", REMOVED, "--seed", "0"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the page and the document of every command, in English, and the folder that they are in."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, arguments in COMMANDS.items():
        path = folder / f"{name}.html"
        run = run_here(*arguments, "--html", path, "--json")
        assert run.code == 0
        made[name] = (path.read_text(encoding="utf-8"), json.loads(run.out))
    return made, folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_is_whole_and_needs_nothing_else(name, pages):
    text, _ = pages[0][name]
    reader = read(text)
    assert [given["lang"] for tag, given in reader.elements if tag == "html"] == ["en"]
    assert {tag for tag, _ in reader.elements} & {"link", "img", "iframe", "script", "style"} == {"script", "style"}
    assert not [given for _, given in reader.elements if "src" in given]
    assert {given["href"][0] for _, given in reader.elements if "href" in given} == {"#"}
    assert not re.search(r"https?:|url\(|@import|fetch\(|None|np\.", text)


@pytest.mark.parametrize("name", ["solve", "grade", "equilibrium"])
def test_a_page_shows_every_card_once_as_a_face(name, pages):
    text, document = pages[0][name]
    faces = [given["aria-label"][:-1] for given in read(text).of_class("card")][:25]
    laid = document.get("play") or document["arrangement"]
    letters = dict(zip("♠♥♦♣", "shdc", strict=True))
    assert [face[0] + letters[face[1]] for face in faces] == " ".join(laid).split()


@pytest.mark.parametrize("name", ["solve", "grade"])
def test_bars_are_as_long_as_the_chances(name, pages):
    text, document = pages[0][name]
    styles = re.findall(r'<i class="(win|tie|loss)" style="width:([0-9.]+)%">', text)
    for place, packet in enumerate(document["packets"]):
        bars = styles[3 * place : 3 * place + 3]
        assert [kind for kind, _ in bars] == ["win", "tie", "loss"]
        for kind, width in bars:
            assert float(width) == pytest.approx(100 * packet[kind], abs=1e-3)


def test_the_figures_are_those_of_the_document(pages):
    text, document = pages[0]["solve"]
    words = read(text).text
    assert f"no arrangement has more than {document['objective_value']:.4f}" in words
    for packet in document["packets"]:
        assert packet["name"] in words
    assert len(re.findall("<tr>", text)) == 1 + len(document["alternatives"])
    text, document = pages[0]["grade"]
    words = read(text).text
    assert f"regret {document['regret']:.4f}" in words
    assert "beat it 25-0" in words
    assert len(read(text).of_class("card")) == 75


def test_a_sample_is_owned_up_to(pages):
    assert "Estimated from 10000 arrangements" in pages[0]["sampled"][0]
    assert "Estimated" not in pages[0]["solve"][0]


def test_without_an_opponent_there_are_cards_and_no_figures(pages):
    text, _ = pages[0]["unready"]
    assert "was not ready in time" in text
    assert len(read(text).of_class("card")) == 25
    assert not read(text).of_class("bar")


def test_a_best_arrangement_has_no_better_one_to_show(pages):
    text, _ = pages[0]["best"]
    assert "Regret 0" in text
    assert "The best arrangement" not in text


def test_the_mix_is_a_table_of_all_strategies(pages):
    text, document = pages[0]["equilibrium"]
    weights = [int(weight) for weight in re.findall(r'<td class="number" data-sort="(\d+)">', text)]
    assert weights == sorted((strategy["weight"] for strategy in document["strategies"]), reverse=True)
    assert f"Show all {len(weights)}" in text
    assert f"Exploitability {document['exploitability']:.3g} points" in text


def test_the_chart_adds_up_the_categories_of_every_place(pages):
    text, document = pages[0]["equilibrium"]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', text)
    seen = {name: re.findall(r"<td>(.*?)(?:<i.*?)?</td>", cells) for name, cells in rows}
    total = document["total_weight"]
    shares = {name: [Fraction(0)] * 5 for name in CATEGORIES}
    for strategy in document["strategies"]:
        packets = Arrangement.of_texts(strategy["arrangement"]).packets
        for place, category in enumerate(categories_of(evaluate_hands(packets))):
            shares[CATEGORIES[category]][place] += Fraction(strategy["weight"], total)
    assert list(seen) == [name for name in reversed(CATEGORIES) if any(shares[name])]
    for name, cells in seen.items():
        for cell, share in zip(cells, shares[name], strict=True):
            assert cell == escape(percent(float(share)))


def test_a_page_speaks_russian(tmp_path):
    for name in ("grade", "equilibrium", "sampled"):
        path = tmp_path / f"{name}.html"
        run_here(*COMMANDS[name], "--html", path, "--quiet", "--lang", "ru", "--notation", "russian")
        reader = read(path.read_text(encoding="utf-8"))
        assert ("html", {"lang": "ru"}) in reader.elements
        words = {word.lower() for word in re.findall(r"[A-Za-z]{2,}", reader.text)}
        assert words <= {"quintet", "quantal", "random", "greedy", "shuffled"}
        faces = {given["aria-label"][:-2] for given in reader.of_class("card")}
        assert faces == {*"789", "10", *"ВДКТ"}


def test_what_the_user_typed_is_shown_and_never_obeyed(tmp_path):
    folder = tmp_path / "<script>alert(1)<"
    folder.mkdir()
    mix = write_mix(folder / "\"&'.json", MixedStrategy.pure(FIXTURES["B"]))
    path = tmp_path / "page.html"
    assert run_here("grade", ROWS["A"], "--opponent", f"file:{mix}", "--html", path).code == 0
    text = path.read_text(encoding="utf-8")
    assert f"file:{mix}" in read(text).text
    assert "<script>alert" not in text


def test_elements_escape_everything_that_is_not_markup():
    assert element("p", "a<b", Markup("<i></i>"), class_='"x"') == '<p class="&quot;x&quot;">a&lt;b<i></i></p>'


def test_the_same_result_gives_the_same_bytes(tmp_path):
    texts = []
    for name in ("first", "second"):
        path = tmp_path / f"{name}.html"
        run_here(*COMMANDS["grade"], "--html", path)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]


def test_a_page_goes_beside_the_other_outputs(tmp_path):
    page, document = tmp_path / "page.html", tmp_path / "document.json"
    with_page = run_here(*COMMANDS["grade"], "--html", page, "--output", document)
    assert with_page == run_here(*COMMANDS["grade"])
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert json.loads(document.read_text())["schema"] == "quintet.grade/1"


def test_a_page_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    same = tmp_path / "same"
    for arguments in (["--html", tmp_path / "nowhere" / "page.html"], ["--html", same, "--output", same]):
        run = run_here(*COMMANDS["solve"], *arguments)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert not same.exists()


# In a real browser.


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.add_argument("--headless=new")
    options.add_argument("--hide-scrollbars")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


def show(browser, path, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.as_uri())


def seen(browser, selector):
    """Return the elements that are on the page to be seen."""
    return [found for found in browser.find_elements("css selector", selector) if found.is_displayed()]


@pytest.mark.browser
@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_browser_shows_the_page_and_fetches_and_logs_nothing(browser, pages, name, width):
    path = Path(pages[1] / f"{name}.html")
    show(browser, path, width)
    assert len(seen(browser, ".packets li .card")) >= 25
    assert len(seen(browser, "h1")) == 1
    for bar in seen(browser, ".packets .bar"):
        parts = [part.rect["width"] for part in bar.find_elements("css selector", "i")]
        assert sum(parts) == pytest.approx(bar.rect["width"], abs=1)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    cards = seen(browser, ".packets li:first-child .card")[:5]
    assert len({card.rect["y"] for card in cards}) == 1
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    assert {request["request"]["url"] for request in requests} == {path.as_uri()}
    assert browser.get_log("browser") == []


@pytest.mark.browser
def test_a_click_on_a_heading_sorts_the_mix(browser, pages):
    show(browser, pages[1] / "equilibrium.html", 1280)
    everything = len(browser.find_elements("css selector", ".mix tbody tr"))
    assert len(seen(browser, ".mix tbody tr")) == min(everything, 25)
    (more,) = seen(browser, "button.more")
    more.click()
    assert len(seen(browser, ".mix tbody tr")) == everything
    assert not seen(browser, "button.more")
    headings = browser.find_elements("css selector", ".mix thead th")
    for column in (1, 5, 0):
        for direction in ("descending", "ascending"):
            headings[column].find_element("css selector", "button").click()
            assert headings[column].get_attribute("aria-sort") == direction
            keys = browser.execute_script(SORT_KEYS, column)
            assert keys == sorted(keys, reverse=direction == "descending")
            assert len(keys) == everything
    assert browser.get_log("browser") == []


@pytest.mark.browser
def test_a_printed_page_has_no_buttons_and_keeps_its_bars(browser, pages):
    show(browser, pages[1] / "equilibrium.html", 1280)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not seen(browser, "button.more")
        assert seen(browser, ".packets .bar")
        assert (
            browser.execute_script("return getComputedStyle(document.querySelector('.bar')).printColorAdjust")
            == "exact"
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("options", [[], ["--ace-low"]])
def test_a_page_says_whether_the_ace_is_low(tmp_path, options):
    path = tmp_path / "page.html"
    assert run_here("grade", ROWS["A"], "--opponent", "greedy", *options, "--html", path).code == 0
    assert ("A-7-8-9-T is a straight" in read(path.read_text(encoding="utf-8")).text) == bool(options)
