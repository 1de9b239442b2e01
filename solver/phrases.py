"""The program's own words in two languages: headings and result lines, keyed by their English text."""

LANGUAGES = ("en", "ru")

_RUSSIAN = {
    "Rank": "№",
    "Value": "Значение",
    "Category": "Разряд",
    "Place": "Место",
    "Worth": "Цена",
    "Packet": "Пакет",
    "Hand": "Комбинация",
    "Win": "Победа",
    "Tie": "Ничья",
    "Lose": "Проигрыш",
    "Winner": "Победитель",
    "Strength": "Сила",
    "First": "Первый",
    "Second": "Второй",
    "first": "первый",
    "second": "второй",
    "tie": "ничья",
    "Arrangement": "Раскладка",
    "Best arrangement against {opponent}, by {objective}": "Лучшая раскладка против {opponent}, цель: {objective}",
    "Greedy arrangement; the opponent {opponent} was not ready in time": (
        "Жадная раскладка; соперник {opponent} не готов к сроку"
    ),
    "points": "очки",
    "margin": "разность очков",
    "win": "выигрыш матча",
    "Expected points {points}, opponent {opponent_points}, margin {margin}": (
        "Ожидаемые очки {points}, у соперника {opponent_points}, разность {margin}"
    ),
    "Match won {win}, drawn {draw}, lost {loss}": "Матч: победа {win}, ничья {draw}, поражение {loss}",
    "Match won {win}, drawn {draw}, lost {loss} (against a sample of the opponent's arrangements)": (
        "Матч: победа {win}, ничья {draw}, поражение {loss} (по выборке раскладок соперника)"
    ),
    "Proven optimal: no arrangement has more than {bound}": "Доказано: ни одна раскладка не даёт больше {bound}",
    "Not proven: the best possible is at most {bound}": "Не доказано: наилучшее возможное не больше {bound}",
    "First {first}, second {second}, tied places {tied}": "Первый {first}, второй {second}, ничьи {tied}",
    "The match is drawn": "Матч вничью",
    "The first player wins the match": "Матч выиграл первый",
    "The second player wins the match": "Матч выиграл второй",
    "Equilibrium by {objective}: {count} arrangements out of {partitions} undominated partitions": (
        "Равновесие, цель: {objective}; раскладок: {count}, недоминируемых разбиений: {partitions}"
    ),
    "Chance": "Вероятность",
    "Proven: no arrangement gains more than {gain} {unit} against this mix ({status}, {iterations} rounds)": (
        "Доказано: ни одна раскладка не выигрывает против этой смеси больше {gain} {unit} "
        "({status}, раундов: {iterations})"
    ),
    "of a match": "матча",
    "converged": "сошлось",
    "iteration limit": "предел числа раундов",
    "time limit": "предел времени",
    "interrupted": "прервано",
    "Drawn with seed {seed}": "Выбрана с зерном {seed}",
    "Claim": "Утверждение",
    "Holds": "Верно",
    "Detail": "Подробности",
    "yes": "да",
    "NO": "НЕТ",
    "Every claim holds": "Все утверждения верны",
    "Not refuted, not proven": "Не опровергнуто, не доказано",
    "Not every claim holds": "Не все утверждения верны",
    "Deal": "Сдача",
    "Laid aside": "Отложены",
}


def phrase(text: str, language: str = "en", **values: object) -> str:
    """Return a phrase in the language, its `{name}` fields filled in; English where there is no translation."""
    chosen = _RUSSIAN.get(text, text) if language == "ru" else text
    return chosen.format(**values) if values else chosen
