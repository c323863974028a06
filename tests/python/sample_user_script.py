"""What a user of the package may write, for mypy --strict; it also runs."""

import seekahead as sx


def throughput(result: sx.Result) -> float:
    return result.summary["throughput_mb_s"]


def main() -> None:
    scenario = sx.Scenario.build(
        title="A film while a copy runs",
        machine=sx.Machine(memory="64 MiB"),
        devices=[sx.Drive("sda", "hdt-7k500", read_ahead_kb=256)],
        files=[sx.File("film", "16 MiB", position="20 %"), sx.File("copy", "16 MiB", position="70 %")],
        readahead=sx.readahead.Ondemand(kernel="2.6.31"),
        processes=[
            sx.Process("player", sx.workload.Stream(block="32 KiB"), ["film"]),
            sx.Process("copier", sx.workload.Copy(), ["film", "copy"], start="10 ms"),
        ],
    )
    rates = {seed: throughput(scenario.run(seed=seed, record={"requests", "windows"})) for seed in range(2)}
    assert all(rate > 1 for rate in rates.values())

    result = scenario.with_({"device.sda.read_ahead_kb": 1024}).run()
    frame = result.to_dataframe("requests")
    print(f"{len(frame)} requests, {throughput(result):.1f} MB/s")
    print([drive.id for drive in sx.drives()][:3], [model.name for model in sx.models("readahead")][:3])

    try:
        scenario.with_(policy="ondemnd")
    except sx.ScenarioError as error:
        first: sx.Problem = error.problems[0]
        print(first.message, first.line, error.key)


if __name__ == "__main__":
    main()
