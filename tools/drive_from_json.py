#!/usr/bin/env python3
"""Makes a drive file of the catalogue (TOML) from a JSON description of a drive or an array.

    tools/drive_from_json.py DRIVE.json... --into scenarios/drives

Three forms are understood: drives extracted by DIXtrac (geometry, mechanics, overheads_ms), drives described by
data sheets (rpm, seek_read, zones), arrays (stripe). A key that the simulator cannot express is listed on
standard error; docs/drives.md tells why. Numbers are taken over as they stand, words ("8 x 239 KiB (ESTIMATE)",
"on by default") are read by the rules of the functions below, each named in the [source] table.
"""

import argparse
import json
import pathlib
import re
import sys

NO_EFFECT_CACHE = {  # DIXtrac key: the only value that the model stands for
    "combine_seq_writes": 1,
    "read_directly_to_buffer": 1,
    "partial_hit_transfers_immediately": 1,
    "write_low_watermark": 0.0,
    "read_high_watermark": 0.0,
    "watermark_relative_to_request": 1,
    "sneaky_full": 0,
    "sneaky_partial": 0,
    "sneaky_intermediate": 0,
    "write_prebuffering": 0,
    "preseek_level": 0,
}
CACHE_FLAGS = {
    "caching_enabled": "enabled",
    "separate_write_segment": "separate_write_segment",
    "readahead_may_overwrite_returned": "readahead_may_overwrite_returned",
    "readahead_on_full_hit": "readahead_on_full_hit",
    "almost_read_hits": "almost_read_hits",
    "stop_prefetch_mid_sector": "stop_prefetch_mid_sector",
    "zero_latency_write": "zero_latency_write",
    "read_hits_on_write_data": "read_hits_on_write_data",
    "write_hit_stops_prefetch": "write_hit_stops_prefetch",
}
# Set in some extractions, yet the reference simulator never acts on them: thousands of its requests land inside
# the range that they ask for and wait for its first sector all the same.
NEVER_ACTS = ["zero_latency_read", "read_free_blocks_before_request"]
CACHE_NUMBERS = {
    "segments": "segments",
    "segment_sectors": "segment_sectors",
    "prefetch_type": "prefetch_type",
    "min_readahead_sectors": "min_readahead_sectors",
    "max_readahead_sectors": "max_readahead_sectors",
    "fast_write_level": "fast_write_level",
}
OVERHEADS = ["per_request"] + [
    f"{d}_{h}_after_{x}" for d in ("read", "write") for h in ("hit", "miss") for x in ("read", "write")
]
MAPPING = {0: "cylinder", 1: "serpentine"}
SPARING = {7: "shift", 8: "range-end", 9: "zone-end"}


def number(x):
    """The shortest text of a number; whole numbers without a fraction."""
    return str(int(x)) if float(x) == int(x) else repr(float(x))


def ms(x):
    """Milliseconds as people write them, exact to the nanosecond."""
    text = f"{x:.6f}".rstrip("0").rstrip(".")
    return f"{text} ms"


def value(x):
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return json.dumps(x)
    return number(x)


class Drive:
    """Collects the tables of one drive file, and the source of every value in it."""

    def __init__(self, model, name, description):
        self.head = {"model": model, "name": name, "description": description}
        self.tables = {"": {}}
        self.sources = {}
        self.ignored = []

    def put(self, key, x, source, confidence):
        table, _, name = key.rpartition(".")
        self.tables.setdefault(table, {})[name] = x
        self.sources[key] = (source, confidence)

    def grouped_sources(self):
        """Sources by key; one line for a table whose values all have the same one."""
        for table, entries in self.tables.items():
            keys = [f"{table}.{name}" if table else name for name in entries]
            if table and len({self.sources[key] for key in keys}) == 1:
                yield table, self.sources[keys[0]]
            else:
                yield from ((key, self.sources[key]) for key in keys)

    def text(self):
        lines = [f"{k} = {value(v)}" for k, v in self.head.items()]
        for table, entries in self.tables.items():
            if not entries:
                continue
            if table:
                lines += ["", f"[{table}]"]
            else:
                lines.append("")
            for name, x in entries.items():
                if isinstance(x, list):
                    lines += [f"{name} = ["] + [f"  {row}," for row in x] + ["]"]
                else:
                    lines.append(f"{name} = {value(x)}")
        lines += ["", "[source]"]
        for key, (source, confidence) in self.grouped_sources():
            told = f"source = {json.dumps(source)}, confidence = {json.dumps(confidence)}"
            lines.append(f"{json.dumps(key)} = {{ {told} }}")
        return "\n".join(lines) + "\n"


# --- drives extracted by DIXtrac -----------------------------------------------------------------------------


def zone_row(zone):
    parts = [
        f"first_cylinder = {zone['first_cyl']}",
        f"last_cylinder = {zone['last_cyl']}",
        f"sectors_per_track = {zone['sectors_per_track']}",
    ]
    for key, name in (
        ("first_block_offset", "first_block_offset"),
        ("track_skew_sectors", "track_skew_sectors"),
        ("cyl_skew_sectors", "cylinder_skew_sectors"),
        ("empty_sectors_at_zone_front", "empty_sectors_at_front"),
        ("spares", "spares"),
    ):
        if zone.get(key):
            parts.append(f"{name} = {number(zone[key])}")
    if zone.get("slipped_sectors"):
        slips = sorted(set(zone["slipped_sectors"]))
        parts.append(f"slipped_sectors = [{', '.join(map(str, slips))}]")
    return "{ " + ", ".join(parts) + " }"


def zones_from_samples(geometry):
    """Zones of which only samples are known: they meet halfway between two samples, and what the LBNs between
    do not fill is spare."""
    samples = [z for z in geometry["zones_sampled"] if z["last_cyl_sampled"] > z["first_cyl_sampled"]]
    zones, first_cyl, first_lbn = [], 0, 0
    for here, after in zip(samples, [*samples[1:], None], strict=True):
        if after:
            end_cyl = (here["last_cyl_sampled"] + after["first_cyl_sampled"]) // 2
            end_lbn = (here["last_lbn_sampled"] + after["first_lbn_sampled"]) // 2
        else:
            end_cyl, end_lbn = geometry["cylinders"], geometry["lbns"]
        spt = here["sectors_per_track"]
        spares = (end_cyl - first_cyl) * geometry["surfaces"] * spt - (end_lbn - first_lbn)
        zones.append(
            {"first_cyl": first_cyl, "last_cyl": end_cyl - 1, "sectors_per_track": spt, "spares": max(0, spares)}
        )
        first_cyl, first_lbn = end_cyl, end_lbn
    return zones


def geometry_of_extraction(drive, data, source):
    g = data["geometry"]
    drive.put("geometry.lbns", g["lbns"], source, "high")
    drive.put("geometry.heads", g["surfaces"], source, "high")
    zones = g.get("zones")
    if "layout" in g:
        drive.put("geometry.mapping", "surface-serpentine", source + ": " + g["layout"], "medium")
        band = re.search(r"about (\d+) tracks", g["layout"])
        drive.put("geometry.band_cylinders", int(band.group(1)), source + ": words of the layout", "medium")
    else:
        drive.put("geometry.mapping", MAPPING[g["lbn_mapping_scheme"]], source, "high")
        known = g["sparing_scheme"] == 9
        drive.put(
            "geometry.sparing",
            SPARING[g["sparing_scheme"]],
            source + f", scheme {g['sparing_scheme']}" + ("" if known else ": its rule is a guess"),
            "high" if known else "low",
        )
        if g["sparing_scheme"] == 8:
            drive.put("geometry.sparing_range_cylinders", g["range_size_for_sparing"], source, "low")
    if zones is None:
        drive.put("geometry.track_skew", 0.191, "estimate: a head switch and a settle", "low")
        drive.put("geometry.cylinder_skew", 0.142, "estimate: a seek to the next cylinder", "low")
        zones = zones_from_samples(g)
        drive.put("geometry.zones", [zone_row(z) for z in zones], source + ", between samples", "medium")
    else:
        drive.put("geometry.zones", [zone_row(z) for z in zones], g.get("zones_source", source), "high")
        if any(z.get("remapped_defects") for z in zones):
            drive.ignored.append("geometry.zones[].remapped_defects")


def mechanics_of_extraction(drive, data, source):
    m = data["mechanics"]
    drive.put("mechanics.rpm", m["rpm"], source, "high")
    drive.put("mechanics.seek", "points", source, "high")
    drive.put("mechanics.head_switch", ms(m["head_switch_ms"]), source, "high")
    drive.put("mechanics.write_settle", ms(m["write_settle_extra_ms"]), source, "high")
    points = [f'{{ cylinders = {p["cylinders"]}, time = "{ms(p["ms"])}" }}' for p in m["seek_curve"]]
    drive.put("mechanics.seek_points", points, source, "high")


def cache_of_extraction(drive, data, source):
    cache = data["cache"]
    for key, x in cache.items():
        if key in CACHE_FLAGS:
            drive.put("cache." + CACHE_FLAGS[key], bool(x), source, "high")
        elif key in CACHE_NUMBERS:
            drive.put("cache." + CACHE_NUMBERS[key], x, source, "high")
        elif key in NEVER_ACTS:
            told = "; the extraction says 1, the reference never acts on it" if x else ""
            drive.put("cache." + key, False, source + told, "high")
        elif NO_EFFECT_CACHE.get(key) != x:
            drive.ignored.append(f"cache.{key} = {x}")


def bus_of_extraction(drive, data, source):
    bus = data["bus"]
    if bus["ms_per_sector"] is None:
        rate = re.search(r"about (\d+) MB/s", bus["note"])
        drive.put("bus.kind", "fc", "the drive's interface", "high")
        drive.put("bus.rate", f"{rate.group(1)} MB/s", bus["note"], "low")
    else:
        drive.put("bus.kind", "scsi", "the drive's interface", "high")
        drive.put("bus.sector_time", ms(bus["ms_per_sector"]), source + "; " + bus["note"], "high")


def from_extraction(data):
    rms = data.get("validated_rms_ms")
    source = data["source"]
    error = f"; the reference's own error is {rms} ms rms" if rms else ""
    description = f"extracted by DIXtrac{error}"
    drive = Drive("disk", data["name"], description)
    geometry_of_extraction(drive, data, source)
    mechanics_of_extraction(drive, data, source)
    cache_of_extraction(drive, data, source)
    bus_of_extraction(drive, data, source)
    for key, x in data["overheads_ms"].items():
        if key in OVERHEADS:
            drive.put("overhead." + key, ms(x), source, "high")
        elif x:
            drive.ignored.append(f"overheads_ms.{key} = {x}")
    queue = data["queue"]
    policy = re.match(r"\w+", queue["scheduling_policy"]).group(0).lower()
    drive.put("queue.depth", queue["max_queue_length"], source, "high")
    drive.put("queue.scheduling", policy, source, "high")
    return drive


# --- drives described by data sheets -------------------------------------------------------------------------


def first_number(text, default):
    """The first number of a text, or the mean of a range: "~140-150 / ~250" is 145."""
    if isinstance(text, (int, float)):
        return float(text)
    found = re.search(r"(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?", text)
    if not found:
        return default
    low = float(found.group(1))
    return (low + float(found.group(2) or low)) / 2


def segments_of(text):
    """The number of segments: what "model N" says, else the first number, of a range the lower end."""
    found = re.search(r"model (\d+)", text) or re.search(r"(\d+)", text)
    return int(found.group(1))


def says_yes(text):
    found = re.search(r"\b(yes|no|unknown)\b", text, re.IGNORECASE)
    return bool(found) and found.group(1).lower() == "yes"


FACT_WORDS = {  # which facts of a data sheet speak of which group
    "geometry.lbns": r"sectors|LBN",
    "geometry.heads": r"heads|surfaces|platter",
    "geometry.zones": r"MB/s|zone|spt|rate",
    "geometry.track_skew": r"switch|sustained",
    "geometry.cylinder_skew": r"switch",
    "mechanics.read_seek": r"avg|seek|stroke|single",
    "mechanics.write_seek": r"avg|seek|stroke|single",
    "mechanics.head_switch": r"switch",
    "mechanics.cylinder_switch": r"switch",
    "cache": r"cache|\bMB\b(?!/)|KiB",
    "overhead": r"overhead",
}
GROUP_CONFIDENCE = {  # which word of "confidence" speaks of which group
    "geometry.zones": "rates",
    "geometry": "geometry",
    "mechanics": "seek",
    "cache": "cache",
    "overhead": "overhead",
}


class DataSheet:
    """Finds source and confidence of a value among the facts of a data-sheet description."""

    def __init__(self, data):
        self.facts = data.get("facts", [])
        self.confidence = data.get("confidence", {})

    def source(self, key, fallback):
        pattern = FACT_WORDS.get(key) or FACT_WORDS.get(key.split(".")[0])
        found = [f for f in self.facts if pattern and re.search(pattern, f["what"])]
        rest = [f for f in self.facts if re.match(r"all numbers|rest", f["what"])]
        return "; ".join(f"{f['what']} ({f['source']})" for f in (found or rest)) or fallback

    def confidence_of(self, key):
        for prefix in (key, key.split(".")[0]):
            name = GROUP_CONFIDENCE.get(prefix)
            if name in self.confidence:
                return self.confidence[name]
        return self.confidence.get("all", "low")


def mechanics_of_data_sheet(put, data):
    put("mechanics.rpm", data["rpm"], f"class of the drive: {data['name']}")
    put("mechanics.seek", "fitted", "curve a*sqrt(d-1) + b*(d-1) + c through single, average and full")
    put("geometry.lbns", data["lbns"])
    put("geometry.heads", data["heads"])
    put("geometry.track_skew", data["track_skew_rev"])
    put("geometry.cylinder_skew", data["cyl_skew_rev"])
    put("geometry.zones", [zone_row(z) for z in data["zones"]])
    put("mechanics.head_switch", ms(data["head_switch_ms"]))
    put("mechanics.cylinder_switch", ms(data["cyl_switch_ms"]))
    for key, table in (("seek_read", "mechanics.read_seek"), ("seek_write", "mechanics.write_seek")):
        for name in ("single", "average", "full"):
            put(f"{table}.{name}", ms(data[key][name]))


def cache_of_data_sheet(put, cache):
    segments = segments_of(cache["segments"])
    usable = int(cache["usable_KiB"] * 2)
    put("cache.segments", segments, "words: " + cache["segments"])
    put("cache.segment_sectors", usable // segments, f"{cache['usable_KiB']} KiB usable / {segments} segments")
    ahead = cache["readahead"]
    put("cache.prefetch_type", 4 if re.search(r"type 4|Cheetah", ahead) else 3, "words: " + ahead)
    put("cache.zero_latency_read", says_yes(cache["zero_latency_read"]), "words: " + cache["zero_latency_read"])
    writes = cache["write_cache"]
    if re.match(r"off", writes):
        put("cache.fast_write_level", 0, "write cache: " + writes)
    else:
        stated = re.search(r"~?(\d+) MB usable", writes)
        sectors = int(stated.group(1)) * 2048 if stated else usable // 2
        put(
            "cache.write_buffer_sectors",
            sectors,
            "write cache: " + writes + ("" if stated else "; half of the buffer, estimate"),
        )


def bus_of_data_sheet(put, interface):
    kind = interface["type"]
    burst = first_number(interface["burst_MBps"], 100)
    effective = first_number(interface["effective_MBps"], burst)
    source = f"{kind}, burst {interface['burst_MBps']} MB/s, effective {interface['effective_MBps']} MB/s"
    if kind.startswith("UDMA"):
        put("bus.kind", "ide", source)
        put("bus.mode", kind.lower(), source)
        put("bus.efficiency", f"{number(round(100 * effective / burst, 1))} %", source)
        return
    put(
        "bus.kind",
        "fc" if kind.startswith("FC") else "scsi",
        source + ("; a link of its own, one transfer at a time" if kind.startswith("SATA") else ""),
    )
    put("bus.rate", f"{number(effective)} MB/s", source)
    queue = interface["queue"]
    depth = re.search(r"(?:TCQ|NCQ) (\d+)", queue)
    put("queue.depth", int(depth.group(1)) if depth else 32, "words: " + queue)
    put("queue.scheduling", "sptf", "order inside the drive: estimate")


def from_data_sheet(data):
    drive = Drive("disk", data["name"], "described by data sheets, manuals and reports; see [source]")
    sheet = DataSheet(data)

    def put(key, x, source=None):
        group = key.rpartition(".")[0] if re.search(r"_seek\.", key) else key
        drive.put(key, x, source or sheet.source(group, "estimate"), sheet.confidence_of(group))

    mechanics_of_data_sheet(put, data)
    cache_of_data_sheet(put, data["cache"])
    bus_of_data_sheet(put, data["interface"])
    overheads = data["overheads_ms"]
    note = overheads.get("note")
    for hit in ("hit", "miss"):
        for after in ("read", "write"):
            put(f"overhead.read_{hit}_after_{after}", ms(overheads[f"read_{hit}"]), note)
            put(f"overhead.write_{hit}_after_{after}", ms(overheads["write"]), note)
    return drive


# --- arrays --------------------------------------------------------------------------------------------------


def from_array(data):
    drive = Drive("raid0", data["name"], "an array: chunk size, overheads and member drive are estimates to sweep")
    stripe, controller, link = data["stripe"], data["controller"], data["host_link"]
    loops = "members of the array: " + data["drive_loops"]["type"]
    drive.put("member_drive", data.get("member", "fc15k"), loops, "low")
    drive.put("members", stripe["disks"], "the published measurements: 7 disks", "high")
    drive.put("chunk", f"{stripe['segment_KiB_default']} KiB", stripe["note"], "low")
    per_io = controller["per_io_overhead_ms"]
    confidence = controller["conf"]
    drive.put("controller_overhead", ms(per_io["cache_miss_add"]), f"per I/O, cache miss: {confidence}", "low")
    drive.put("link_rate", f"{link['MBps_effective']} MB/s", link["type"], "medium")
    drive.put("link_overhead", ms(link["per_io_ms"]), f"per I/O on the host link: {confidence}", "low")
    drive.put("queue_depth", 32, "QLogic 2300 driver, command queue of a device", "medium")
    drive.ignored += [
        "controller.cache_MiB_per_controller",
        "controller.cache_block_KiB",
        "controller.read_ahead_multiplier_default",
        "controller.per_io_overhead_ms.cache_hit",
        "drive_loops",
        "ceilings",
    ]
    return drive


def convert(data):
    if "stripe" in data:
        return from_array(data)
    return from_extraction(data) if "geometry" in data else from_data_sheet(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path, default=pathlib.Path("."), help="directory of the drive files")
    options = parser.parse_args()
    for path in options.json:
        data = json.loads(path.read_text())
        drive = convert(data)
        (options.into / f"{data['id']}.toml").write_text(drive.text())
        for key in drive.ignored:
            print(f"{path}: {key} has no counterpart", file=sys.stderr)


if __name__ == "__main__":
    main()
