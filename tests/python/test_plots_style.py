"""The colours of the plots: told apart in grey and by colour-blind readers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from seekahead.plots import style

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(color):
    rgb = np.array(to_rgb(color))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(color, vision="normal"):
    """CIE L*a*b* (D65) as a reader of that vision sees it."""
    xyz = TO_XYZ @ np.clip(VISION[vision] @ linear(color), 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def lightness(ink):
    return lab(ink.color)[0]


def test_lightness_of_known_greys():
    assert lab("#ffffff")[0] == pytest.approx(100, abs=0.01)
    assert lab("#777777")[0] == pytest.approx(50, abs=0.2)


def test_curves_differ_in_lightness_marker_and_dashes():
    for one, other in itertools.combinations(style.CURVES, 2):
        assert abs(lightness(one) - lightness(other)) >= 10, (one, other)
        assert one.marker != other.marker
        assert one.dashes != other.dashes


@pytest.mark.parametrize(
    "stack", [style.SERVICE, style.PAGES, {"readahead": style.READAHEAD, "demand": style.DEMAND}]
)
def test_neighbours_in_a_stack_differ_in_lightness(stack):
    for one, other in itertools.pairwise(stack.values()):
        assert abs(lightness(one) - lightness(other)) >= 15, (one, other)


@pytest.mark.parametrize("stack", [style.SERVICE, style.PAGES])
def test_all_areas_of_a_stack_differ_in_grey_or_by_hatch(stack):
    for one, other in itertools.combinations(stack.values(), 2):
        assert abs(lightness(one) - lightness(other)) >= 12 or one.hatch != other.hatch, (one, other)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("inks", [style.CURVES, tuple(style.SERVICE.values()), tuple(style.PAGES.values())])
def test_colour_blind_readers_tell_the_colours_apart(vision, inks):
    for one, other in itertools.combinations(inks, 2):
        assert np.linalg.norm(lab(one.color, vision) - lab(other.color, vision)) >= 11, (one, other)


def test_inks_do_not_repeat_before_twenty_curves():
    inks = [style.curve_ink(n) for n in range(20)]
    assert len(set(inks)) == 20


@pytest.mark.parametrize(
    ("column", "label"),
    [
        ("read_ahead_kb", "readahead window (KiB)"),
        ("readahead.max_readahead", "readahead window (pages of 4 KiB)"),
        ("throughput_mb_s", "throughput (MB/s)"),
        ("process.diff.throughput_mb_s", "process.diff.throughput (MB/s)"),
        ("p99_ms", "p99 (ms)"),
        ("streams", "streams"),
    ],
)
def test_labels_carry_the_unit_of_the_column(column, label):
    assert style.label_of(column) == label
