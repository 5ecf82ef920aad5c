"""Which model to believe: the one that predicts judgments it has not seen (HM13; WMT14, §3.4)."""
