"""Workloads written in Python."""

import re

import pytest

import seekahead as sx

HEAD = """
[scenario]
seed = 3
[readahead]
policy = "ondemand"
[[device]]
name = "hda"
drive = "dtla307045"
[[file]]
name = "a"
size = "4 MiB"
[[file]]
name = "b"
size = "4 MiB"
"""
PROCESS = '[[process]]\nname = "p"\nworkload = "{}"\nfiles = ["a", "b"]\n'


class Stream(sx.Workload):
    """Reads the first file from start to end."""

    block: int = sx.parameter("64 KiB", "1 B", "1 GiB", unit="bytes")
    think: int = sx.parameter("0 s", unit="time")

    def run(self, process):
        position = 0
        while got := (yield sx.read(self.files[0], position, self.block)):
            position += got
            yield sx.compute(self.think)


def scan(files, random, *, blocks: int = 16):
    """Reads random blocks."""
    for _ in range(blocks):
        yield sx.read(random.choice(files), 4096 * random.below(1024), "4 KiB")


def run(workload, head=HEAD, **changes):
    sc = sx.Scenario.from_text(head + PROCESS.format(workload.__name__), models=[workload])
    return sc.with_({f"process.p.{key}": value for key, value in changes.items()}).run()


def failure(workload):
    with pytest.raises(sx.SimulationError) as caught:
        run(workload)
    return caught.value


def test_a_python_stream_is_the_built_in_one():
    ours = run(Stream, block="32 KiB", think="100 us")
    theirs = sx.Scenario.from_text(
        HEAD + '[[process]]\nname = "p"\nworkload = "stream"\nblock = "32 KiB"\nthink = "100 us"\nfiles = ["a"]\n'
    ).run()
    # Ours reads once more to learn that the file is at its end.
    assert ours["process.p.reads"] == theirs["process.p.reads"] + 1
    assert ours["process.p.bytes_read"] == theirs["process.p.bytes_read"] == 4 << 20
    assert ours["device.hda.reads"] == theirs["device.hda.reads"]


def test_functions_are_workloads():
    first, second = run(scan, blocks=40), run(scan, blocks=40)
    assert first.json_text == second.json_text
    assert first["process.p.bytes_read"] == 40 * 4096
    other = run(scan, HEAD.replace("seed = 3", "seed = 4"), blocks=40)
    assert other["simulated_s"] != first["simulated_s"]


def test_a_random_stream_is_the_simulators():
    random = sx.Random(1, "process.p")
    again = sx.Random(1, "process.p")
    numbers = [random.between(-5, 5) for _ in range(100)]
    assert numbers == [again.between(-5, 5) for _ in range(100)]
    assert min(numbers) == -5
    assert max(numbers) == 5
    assert 0 <= random.unit() < 1
    items = list(range(50))
    random.shuffle(items)
    assert sorted(items) == list(range(50)) != items
    with pytest.raises(ValueError, match="below 0"):
        random.below(0)
    with pytest.raises(ValueError, match="between 3 and 2"):
        random.between(3, 2)


def test_every_operation():
    def everything(files, process):
        fd = yield sx.open(files[0])
        assert fd == 0
        assert (yield sx.file_size(fd)) == 4 << 20
        assert (yield sx.fadvise(fd, "sequential")) is None
        assert (yield sx.read(fd, "1 MiB", 100)) == 100
        assert (yield sx.read(fd, (4 << 20) - 10, 100)) == 10
        assert (yield sx.write(files[1], 0, "8 KiB")) == 8192
        assert (yield sx.fsync(files[1])) is None
        assert (yield sx.madvise(fd, "random")) is None
        assert (yield sx.fault(fd, 7)) is True
        assert (yield sx.fault(fd, 1024)) is False
        before = process.now_ns
        assert (yield sx.sleep("8.5 ms")) is None
        assert process.now_ns - before >= 8_500_000
        before = process.now_ns
        assert (yield sx.compute(2_000_000)) is None
        assert process.now_ns - before == 2_000_000
        yield sx.exec("other")
        yield sx.close(fd)
        assert process.files == ["a", "b"]

    result = run(everything)
    assert result["process.p.reads"] == 2
    assert result["process.p.writes"] == 1
    assert result["process.p.faults"] == 2


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (5, "yielded 5, which is no operation"),
        (("read", "a", 0, 1), "which is no operation"),
        (sx.read("c", 0, 1), 'no file "c"'),
        (sx.read(0, 0, 1), "descriptor 0 is not open"),
        (sx.read(None, 0, 1), "a file is a name"),
        (sx.read("a", -1, 1), "the position is -1"),
        (sx.read("a", 0, 1.5), "the length is 1.5"),
        (sx.read("a", 0, "4 kib"), "4 kib"),
        (sx.sleep("3 KiB"), "3 KiB"),
        (sx.sleep("-3 s"), "negative"),
        (sx.fadvise("a", "randm"), "did you mean .random.?"),
        (sx.madvise("a", "willneed"), "hints"),
    ],
)
def test_nonsense_is_told_at_its_line(operation, message):
    def wrong(files):
        yield sx.sleep("1 ms")
        yield operation

    error = failure(wrong)
    assert re.search(message, str(error))
    assert "yield operation" in error.traceback
    assert error.simulated_s == pytest.approx(0.001, abs=1e-3)


def test_an_exception_ends_the_run_with_its_traceback():
    def wrong(files):
        yield sx.read("a", 0, "1 MiB")
        raise RuntimeError("enough")

    error = failure(wrong)
    assert "RuntimeError: enough" in error.message
    assert 'raise RuntimeError("enough")' in error.traceback
    assert error.simulated_s > 0


def test_what_does_not_yield_is_told():
    class Idle(sx.Workload):
        def run(self, process):
            return 5

    assert "must yield operations" in str(failure(Idle))

    class Listed(sx.Workload):
        def run(self, process):
            return [sx.read("a", 0, 4096), sx.read("b", 0, 4096)]

    assert run(Listed)["process.p.reads"] == 2


def test_arguments_need_a_default():
    def scan(files, speed):
        yield sx.sleep(speed)

    with pytest.raises(TypeError, match="speed"):
        run(scan)


def test_the_number_of_files_is_checked():
    class Pair(sx.Workload):
        fewest_files = most_files = 1

        def run(self, process):
            yield sx.sleep(1)

    with pytest.raises(sx.ScenarioError, match="needs 1 file"):
        run(Pair)


def test_many_processes_share_a_class():
    text = HEAD + PROCESS.format("scan").replace('"p"', '"p"\ncount = 50')
    result = sx.Scenario.from_text(text, models=[scan]).run()
    assert result["process.p.bytes_read"] == 50 * 16 * 4096


def test_a_duration_cuts_a_generator_off():
    def forever(files):
        while True:
            yield sx.read("a", 0, 4096)

    result = run(forever, HEAD.replace("seed = 3", 'seed = 3\nduration = "50 ms"'))
    assert result["process.p.reads"] > 10
