"""A check of other people's attention: run it against ours with the same weights and say what is wrong."""

from attnviz.checking.check import check_attention
from attnviz.checking.report import Finding, Measurement, Report

__all__ = ["Finding", "Measurement", "Report", "check_attention"]
