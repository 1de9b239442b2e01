"""Best responses, grades and equilibria as pages that stand alone: cards, chances, what is proven, and the mix."""

from collections.abc import Sequence

import numpy as np

from solver.best_response.result import BestResponse
from solver.game.arrangement import Arrangement
from solver.game.cards import PACKET_SIZE
from solver.game.deal import Deal
from solver.game.evaluator import CATEGORIES, categories_of, evaluate_hands
from solver.game.rules import Rules
from solver.language.hand_names import category_name
from solver.language.numbers import amount, percent
from solver.opponents.specification import Opponent
from solver.reports.html_page import Markup, PageStyle, chance_bar, element, packet_list, page, together
from solver.reports.sentences import (
    answer_sentence,
    exchange_sentence,
    exploitability_sentence,
    grade_heading,
    points_sentence,
    proof_sentence,
    regret_sentence,
    run_sentence,
    solution_heading,
)
from solver.results.best_responses import SolveResult
from solver.results.equilibria import EquilibriumResult
from solver.results.grades import GradeResult
from solver.results.packets import packets_of
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.payoffs import Value
from solver.strategies.strength_mix import StrengthMix

UNFOLDED = 25
"""Rows of a table above which a page shows the first ones only, until it is asked for all; page.css has it too."""


def solution_page(style: PageStyle, result: SolveResult) -> str:
    """Return the page of a best response."""
    response, opponent = result.response, result.opponent
    content = [packet_list(style, result.packets, response.arrangement)]
    if response.value is not None:
        content += [
            _value(style, response.value, opponent),
            element("p", proof_sentence(response, opponent, style.language), class_="verdict"),
        ]
    if response.alternatives:
        content.append(_alternatives(style, response))
    content.append(_game(style, response.deal, response.rules))
    return page(style, solution_heading(response, result.specs, style.language), *content)


def grade_page(style: PageStyle, result: GradeResult) -> str:
    """Return the page of a grade: the arrangement, what it gives away, the best one, and the best answer to it."""
    grade, opponent = result.grade, result.opponent
    mix = None if opponent is None else opponent.mix
    content = [packet_list(style, result.packets, grade.arrangement)]
    if grade.value is not None and grade.best is not None:
        content += [
            _value(style, grade.value, opponent),
            element("p", regret_sentence(grade, opponent, style.language), class_="verdict"),
        ]
        if grade.regret_exact:
            content += [
                element("p", exchange_sentence(grade, "symbols", style.language)),
                _heading(style, "The best arrangement"),
                _packets(style, grade.best.arrangement, grade.rules, mix),
            ]
    content += [
        _heading(style, "Best answer"),
        element("p", answer_sentence(grade, style.language)),
        _packets(style, grade.best_answer.arrangement, grade.rules, None),
        _game(style, grade.arrangement.deal, grade.rules),
    ]
    return page(style, grade_heading(grade, result.specs, style.language), *content)


def equilibrium_page(style: PageStyle, result: EquilibriumResult) -> str:
    """Return the page of an equilibrium: what to play, what is proven, hand categories by place, and the mix."""
    equilibrium = result.equilibrium
    mix, rules = equilibrium.strategies, equilibrium.rules
    to_play = "To play, drawn from the mix with seed {seed}; chances against the mix"
    title = style.phrase("Equilibrium by {objective}", objective=style.phrase(equilibrium.objective))
    return page(
        style,
        title,
        element("p", style.phrase(to_play, seed=result.seed)),
        packet_list(style, result.packets, result.play),
        element("p", exploitability_sentence(equilibrium, style.language), class_="verdict"),
        element("p", run_sentence(equilibrium, style.language)),
        _heading(style, "Hands by place"),
        _category_chart(style, mix, rules),
        _heading(style, "The mix"),
        _mix_table(style, mix, rules),
        _game(style, equilibrium.deal, rules),
    )


def _heading(style: PageStyle, text: str) -> Markup:
    return element("h2", style.phrase(text))


def _packets(style: PageStyle, arrangement: Arrangement, rules: Rules, mix: StrengthMix | None) -> Markup:
    return packet_list(style, packets_of(arrangement, rules, mix), arrangement)


def _value(style: PageStyle, value: Value, opponent: Opponent | None) -> Markup:
    chances = [("Match won", float(value.win)), ("Drawn", float(value.draw)), ("Lost", float(value.loss))]
    parts = [element("p", points_sentence(value, style.language)), chance_bar(style, chances)]
    if opponent is not None and opponent.sampled:
        text = style.phrase("Estimated from {samples} arrangements of the opponent", samples=opponent.samples)
        parts.append(element("p", text, class_="note"))
    return together(*parts)


def _alternatives(style: PageStyle, response: BestResponse) -> Markup:
    values = [each.value.of(response.objective) for each in response.alternatives]
    leads = [(amount(value, response.objective, exact=False), str(float(value))) for value in values]
    arrangements = [each.arrangement for each in response.alternatives]
    return together(
        _heading(style, "Alternatives"), _arrangement_table(style, "Value", leads, arrangements, response.rules)
    )


def _mix_table(style: PageStyle, mix: MixedStrategy, rules: Rules) -> Markup:
    order = sorted(range(len(mix.weights)), key=lambda index: -mix.weights[index])
    leads = [(percent(mix.probabilities[index]), str(mix.weights[index])) for index in order]
    return _arrangement_table(style, "Chance", leads, [mix.arrangements[index] for index in order], rules)


def _arrangement_table(
    style: PageStyle,
    measure: str,
    leads: Sequence[tuple[str, str]],
    arrangements: Sequence[Arrangement],
    rules: Rules,
) -> Markup:
    """Return a table of arrangements that sorts by its measure and by the packet of each place.

    Parameters
    ----------
    measure
        Heading of the first column, which the rows are sorted by.
    leads
        What stands in that column, as text and as a number to sort by.
    """
    places = [style.phrase("Place {place}", place=place) for place in range(1, len(arrangements[0].packets) + 1)]
    headings = [
        element("th", element("button", style.phrase(measure)), class_="number", aria_sort="descending"),
        *(element("th", element("button", place)) for place in places),
    ]
    rows = []
    for (text, number), arrangement in zip(leads, arrangements, strict=True):
        cells = [
            element("td", style.hand(packet), class_="hand", data_place=str(place), data_sort=str(strength))
            for place, (packet, strength) in enumerate(
                zip(arrangement.packets, arrangement.strengths(rules), strict=True), 1
            )
        ]
        rows.append(element("tr", element("td", text, class_="number", data_sort=number), *cells))
    table = element(
        "table",
        element("thead", element("tr", *headings)),
        element("tbody", *rows),
        class_="mix sortable",
    )
    if len(rows) <= UNFOLDED:
        return element("div", table)
    more = element("button", style.phrase("Show all {count}", count=len(rows)), class_="more", hidden="hidden")
    return element("div", table, more)


def _category_chart(style: PageStyle, mix: MixedStrategy, rules: Rules) -> Markup:
    """Return how often each place holds a hand of each category, the strongest first; categories never held are out."""
    hands = np.array([arrangement.packets for arrangement in mix.arrangements], dtype=np.int64)
    strengths = evaluate_hands(hands.reshape(-1, PACKET_SIZE), rules)
    categories = categories_of(strengths, rules).reshape(hands.shape[:2])
    rows = []
    for category in reversed(range(len(CATEGORIES))):
        held = categories == category
        if not held.any():
            continue
        shares = [sum(w for w, here in zip(mix.weights, column, strict=True) if here) / mix.total for column in held.T]
        cells = [element("td", percent(share), *([_share_bar(share)] if share else [])) for share in shares]
        rows.append(element("tr", element("th", category_name(category, style.language), scope="row"), *cells))
    places = range(1, hands.shape[1] + 1)
    headings = [element("th", style.phrase("Place {place}", place=place), scope="col") for place in places]
    return element(
        "table",
        element("thead", element("tr", element("td"), *headings)),
        element("tbody", *rows),
        class_="chart",
    )


def _share_bar(share: float) -> Markup:
    return Markup(f'<i class="share" style="width:{100 * share:.4f}%"></i>')


def _game(style: PageStyle, deal: Deal, rules: Rules) -> Markup:
    weights = ", ".join(map(str, rules.weights))
    rule_text = style.phrase("{rules}; places worth {weights}", rules=rules.name, weights=weights)
    if rules.ace_low:
        rule_text += "; " + style.phrase("A-7-8-9-T is a straight")
    facts = [
        ("Deal", style.hand(deal.cards)),
        ("Laid aside", style.hand(deal.removed)),
        ("Rules", rule_text),
    ]
    pairs = [together(element("dt", style.phrase(name)), element("dd", text)) for name, text in facts]
    return together(_heading(style, "The game"), element("dl", *pairs))
