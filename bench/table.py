"""The table that a benchmark run prints."""
from statistics import median


def middle(values):
    values = [v for v in values if v is not None]
    return median(values) if values else None


class Table:
    """Lines of what was measured, against which limit or peer, and whether the bar is met."""

    HEAD = ["what", "measured", "limit or peer", "ratio", "bar", "met"]

    def __init__(self):
        self.lines = []

    def add(self, what, measured, unit="", other=None, other_name="", ratio=None, bar=None,
            at_most=False, within=False):
        """The bar is for the ratio, by default measured / other, or for measured if there is none.
        within: the bar says how far from 1 the ratio may be."""
        if ratio is None and measured is not None and other:
            ratio = measured / other
        value = ratio if ratio is not None or other_name else measured
        met = None
        if bar is not None and value is not None:
            met = value <= bar if at_most else value >= bar
            if within:
                met = abs(value - 1) <= bar
        self.lines.append({
            "what": what, "measured": measured, "unit": unit, "other": other,
            "other_name": other_name, "ratio": ratio, "bar": bar,
            "sense": "+-" if within else "<=" if at_most else ">=", "met": met})

    @staticmethod
    def number(value):
        if value is None:
            return "-"
        return f"{value:.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"

    def cells(self, line):
        bar = "" if line["bar"] is None else f"{line['sense']} {self.number(line['bar'])}"
        met = {True: "yes", False: "NO", None: "?" if bar else ""}[line["met"]]
        other = f"{line['other_name']} {self.number(line['other'])}" if line["other_name"] else ""
        ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}"
        measured = f"{self.number(line['measured'])} {line['unit']}".strip()
        return [line["what"], measured, other, ratio, bar, met]

    def show(self):
        rows = [self.HEAD] + [self.cells(line) for line in self.lines]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self.HEAD))]
        rows.insert(1, ["-" * width for width in widths])
        for row in rows:
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")

    def missed(self):
        return [" / ".join(filter(None, [line["what"], line["other_name"]]))
                for line in self.lines if line["met"] is False]
