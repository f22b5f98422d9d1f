"""Techniques for layouts with rules: killer cages, arrows, thermometers, dots, clues, lines.

They know of a rule only the ways to fill its cells, which `fillings` lists with `Rule.broken`:
`combinations` of digits, `innies_and_outies` of houses and cages, and nets that follow several
rules (`rule_nets`).
"""
