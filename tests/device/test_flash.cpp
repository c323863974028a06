#include <catch2/catch.hpp>
#include <vector>

#include "models/device/flash.hpp"

using namespace seekahead;

namespace {

// Round figures: overhead 10 us, a page read 40 us, starting a channel 1 us, a page over the interface 2 us.
FlashParameters round_figures() {
  FlashParameters p;
  p.channels = 4;
  p.page_read_ns = 40'000;
  p.page_program_ns = 200'000;
  p.command_overhead_ns = 10'000;
  p.channel_start_ns = 1'000;
  p.interface_rate = 2'048'000'000;
  p.max_request_bytes = 1 << 20;
  return p;
}

TimeNs serve(BlockDevice& device, TimeNs now, const DeviceRequest& request) {
  device.submit(now, request);
  std::vector<Completion> done;
  const TimeNs end = device.next_event_ns();
  device.advance(end - 1, done);
  REQUIRE(done.empty());
  device.advance(end, done);
  REQUIRE(done.size() == 1);
  const ServiceTime& s = done[0].service;
  CHECK(s.overhead_ns + s.seek_ns + s.rotation_ns + s.transfer_ns + s.bus_ns + s.queue_ns == end - now);
  return end - now;
}

}  // namespace

TEST_CASE("a flash read costs overhead and page read and first stripe and interface") {
  const auto device = make_flash(round_figures(), {});
  CHECK(serve(*device, 0, {0, 8000, 8, false}) == 10'000 + 40'000 + 1'000 + 2'000);
  CHECK(serve(*device, 1'000'000, {0, 4000, 32, false}) == 10'000 + 40'000 + 4 * 1'000 + 4 * 2'000);
  // Sixteen pages: the channel that starts last reads four of them, 40 us each; the last page leaves then.
  CHECK(serve(*device, 2'000'000, {0, 16000, 128, false}) == 14'000 + 4 * 40'000 + 2'000);
}

TEST_CASE("a sequential flash read pays no page read when the device reads ahead") {
  auto p = round_figures();
  const auto device = make_flash(p, {});
  serve(*device, 0, {0, 0, 128, false});
  CHECK(serve(*device, 1'000'000, {0, 128, 128, false}) == 10'000 + 4 * 1'000 + 16 * 2'000);
  p.prefetch = false;
  const auto plain = make_flash(p, {});
  serve(*plain, 0, {0, 0, 8, false});
  CHECK(serve(*plain, 1'000'000, {0, 8, 8, false}) == 10'000 + 40'000 + 1'000 + 2'000);
}

TEST_CASE("queued flash commands overlap on different channels") {
  const auto device = make_flash(round_figures(), {});
  device->submit(0, {0, 8, 8, false});   // channel 1
  device->submit(0, {1, 48, 8, false});  // channel 2
  device->submit(0, {2, 40, 8, false});  // channel 1 again
  std::vector<Completion> done;
  device->advance(1'000'000, done);
  REQUIRE(done.size() == 3);
  CHECK(done[0].time_ns == 10'000 + 40'000 + 1'000 + 2'000);
  CHECK(done[1].time_ns == 11'000 + 11'000 + 40'000 + 2'000);
  CHECK(done[2].time_ns == 51'000 + 40'000 + 2'000);
}

TEST_CASE("flash writes end when they are programmed or when they are in the buffer") {
  auto p = round_figures();
  const auto device = make_flash(p, {});
  CHECK(serve(*device, 0, {0, 0, 8, true}) == 10'000 + 2'000 + 200'000);

  p.write_buffer_bytes = 8192;
  const auto buffered = make_flash(p, {});
  CHECK(serve(*buffered, 0, {0, 0, 8, true}) == 10'000 + 2'000);
  CHECK(serve(*buffered, 12'000, {0, 8, 8, true}) == 10'000 + 2'000);
  // The buffer is full until the first write is programmed, at 212 us.
  CHECK(serve(*buffered, 24'000, {0, 16, 8, true}) == 212'000 + 2'000 - 24'000);
}
