#include "sim/block/request_queue.hpp"

#include <algorithm>
#include <utility>

namespace seekahead {

void HostChannel::take(RequestQueue& queue) {
  active_ = &queue;
  queues_.erase(std::find(queues_.begin(), queues_.end(), &queue));
  queues_.push_back(&queue);
}

void HostChannel::release(TimeNs free_ns) {
  active_ = nullptr;
  free_ns_ = free_ns;
  for (std::size_t i = 0; i < queues_.size() && !busy(); ++i) {
    queues_[i]->dispatch();
  }
}

RequestQueue::RequestQueue(Engine& engine, std::unique_ptr<BlockDevice> device,
                           std::unique_ptr<Elevator> elevator, HostChannel* channel,
                           std::vector<Payload>& payload_next, RequestQueueOptions options,
                           PayloadDone payload_done)
    : engine_(engine),
      device_(std::move(device)),
      elevator_(std::move(elevator)),
      channel_(channel),
      payload_next_(payload_next),
      options_(std::move(options)),
      payload_done_(std::move(payload_done)) {
  if (channel_ != nullptr) {
    channel_->add(*this);
  }
}

RequestQueue::~RequestQueue() = default;

// --- entering

void RequestQueue::submit(const PayloadBio& bio) {
  while (!try_merge(bio)) {
    if (slot_available(bio.bio.is_write)) {
      add_request(bio);
      return;
    }
    wait_for_slot(bio.bio.is_write);  // and scan again: the queue has changed meanwhile
  }
}

bool RequestQueue::try_merge(const PayloadBio& bio) {
  const Merge merge = elevator_->find_merge(bio.bio, options_.limits);
  if (merge.kind == MergeKind::none) {
    return false;
  }
  Slot& request = static_cast<Slot&>(*merge.request);
  if (merge.kind == MergeKind::back) {
    payload_next_[request.last] = bio.first;
    request.last = bio.last;
  } else {
    payload_next_[bio.last] = request.first;
    request.first = bio.first;
    request.start = bio.bio.start;
  }
  request.sectors += bio.bio.sectors;
  request.segments += static_cast<std::uint32_t>(bio.bio.sectors / sectors_per_page);
  request.is_sync = request.is_sync || bio.bio.is_sync;
  ++statistics_.merges;
  Request* neighbour = elevator_->merged(request, bio.bio, merge.kind, options_.limits);
  if (neighbour != nullptr) {
    join(request, static_cast<Slot&>(*neighbour), merge.kind == MergeKind::back);
  }
  return true;
}

// `neighbour` has come to touch `request` (behind its end, or before its start): one request is left.
void RequestQueue::join(Slot& request, Slot& neighbour, bool behind) {
  if (behind) {
    payload_next_[request.last] = neighbour.first;
    request.last = neighbour.last;
  } else {
    payload_next_[neighbour.last] = request.first;
    request.first = neighbour.first;
    request.start = neighbour.start;
  }
  request.sectors += neighbour.sectors;
  request.segments += neighbour.segments;
  request.queued_ns = std::min(request.queued_ns, neighbour.queued_ns);
  --outstanding_;
  free_slot(neighbour);
  free_slots_.push_back(neighbour.id);
  count_level();
}

void RequestQueue::add_request(const PayloadBio& bio) {
  const TimeNs now = engine_.now_ns();
  const bool keeps_active =
      options_.rules.page_by_page && device_->queue_depth() == 1;  // 2.4 IDE: on the list
  if (elevator_->waiting() == 0 && !plugged_ && !(keeps_active && in_device_ > 0)) {
    plug();
  }
  Direction& mine = direction(bio.bio.is_write);
  ++mine.allocated;
  if (options_.rules.batch_requests > 0 && mine.allocated == options_.slots) {  // the one that fills it
    become_batcher(engine_.current());
  }
  if (options_.congestion.on > 0 && mine.allocated >= options_.congestion.on) {
    mine.congested = true;
  }
  Slot& slot = new_slot();
  static_cast<Request&>(slot) = Request{};
  slot.start = bio.bio.start;
  slot.sectors = bio.bio.sectors;
  slot.is_write = bio.bio.is_write;
  slot.is_sync = bio.bio.is_sync;
  slot.queued_ns = now;
  slot.segments = static_cast<std::uint32_t>((bio.bio.sectors + sectors_per_page - 1) / sectors_per_page);
  slot.id = free_slots_.back();
  free_slots_.pop_back();
  slot.first = bio.first;
  slot.last = bio.last;
  slot.holds_slot = true;
  elevator_->add(slot, now);
  ++outstanding_;
  count_level();
  if (probe_ != nullptr) {
    probe_->request_queued({now, options_.name, &slot, {}, device_->head_position(), outstanding_});
  }
  const auto waiting = static_cast<std::int64_t>(elevator_->waiting());
  const std::int64_t unplug_at = options_.rules.unplug_at;
  if (plugged_ && unplug_at > 0 &&
      (options_.rules.unplug_at_exactly ? waiting == unplug_at : waiting >= unplug_at)) {
    unplug();
  }
  dispatch();
}

RequestQueue::Slot& RequestQueue::new_slot() {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back(std::make_unique<Slot>());
  }
  return *slots_[free_slots_.back()];
}

// --- slots

bool RequestQueue::slot_available(bool write) {
  const Direction& mine = direction(write);
  if (mine.allocated + mine.freed < options_.slots) {
    return true;
  }
  const std::int64_t cap = options_.rules.hard_cap_percent;
  if (cap > 0 && mine.allocated >= options_.slots * cap / 100) {
    return false;
  }
  return options_.rules.batch_requests > 0 && is_batcher(engine_.current());
}

void RequestQueue::wait_for_slot(bool write) {
  ++statistics_.slot_waits;
  Process& self = engine_.current();
  direction(write).sleepers.push_back(&self);  // first: starting the device may free a slot at once
  unplug();
  engine_.block({write ? "a write request slot" : "a read request slot", options_.name, 0, false});
  if (options_.rules.batch_requests > 0) {
    become_batcher(self);
  }
}

void RequestQueue::become_batcher(Process& process) {
  const Batcher fresh{&process, options_.rules.batch_requests, engine_.now_ns() + options_.rules.batch_ns};
  for (Batcher& batcher : batchers_) {
    if (batcher.process == &process) {
      batcher = fresh;
      return;
    }
  }
  batchers_.push_back(fresh);
}

bool RequestQueue::is_batcher(Process& process) {
  for (Batcher& batcher : batchers_) {
    if (batcher.process == &process) {
      return batcher.left-- > 0 && engine_.now_ns() < batcher.until_ns;
    }
  }
  return false;
}

void RequestQueue::free_slot(Slot& slot) {
  if (!slot.holds_slot) {
    return;
  }
  slot.holds_slot = false;
  Direction& mine = direction(slot.is_write);
  --mine.allocated;
  if (mine.allocated < options_.congestion.off) {
    mine.congested = false;
  }
  ++mine.freed;
  if (mine.freed < options_.give_back && mine.allocated > 0) {  // else nothing would complete the lot
    return;
  }
  std::int64_t to_wake = std::exchange(mine.freed, 0);
  if (options_.rules.batch_requests > 0 && mine.allocated + 1 > options_.slots) {
    to_wake = 0;  // still over the limit: batchers took more than their share
  }
  for (; to_wake > 0 && !mine.sleepers.empty(); --to_wake) {
    Process* sleeper = mine.sleepers.front();
    mine.sleepers.pop_front();
    engine_.wake(*sleeper);
  }
}

// --- plug

void RequestQueue::plug() {
  plugged_ = true;
  ++plug_number_;
  if (options_.rules.unplug_timer_ns > 0) {
    engine_.agenda().at(engine_.now_ns() + options_.rules.unplug_timer_ns, *this,
                        unplug_timer + 4 * plug_number_);
  }
}

void RequestQueue::unplug() {
  if (plugged_) {
    plugged_ = false;
    dispatch();
  }
}

// --- the device

void RequestQueue::count_level() {
  if (counting_) {
    statistics_.level(engine_.now_ns(), outstanding_, in_device_);
  }
}

void RequestQueue::stop_counting() {
  count_level();
  counting_ = false;
  probe_ = nullptr;
}

void RequestQueue::dispatch() {
  while (!plugged_ && in_device_ < device_->queue_depth() && !(channel_ != nullptr && channel_->busy())) {
    Request* request = elevator_->next(engine_.now_ns());
    if (request == nullptr) {
      break;
    }
    start(static_cast<Slot&>(*request));
  }
  const TimeNs timer = elevator_->timer_ns();
  if (timer != never_ns) {
    engine_.agenda().at(timer, *this, device_event);
  }
}

void RequestQueue::start(Slot& slot) {
  const TimeNs now = engine_.now_ns();
  slot.started = true;
  slot.dispatched_ns = now;
  ++in_device_;
  count_level();
  if (channel_ != nullptr) {
    channel_->take(*this);
  }
  if (options_.rules.slot_freed_at_dispatch && device_->queue_depth() > 1) {
    free_slot(slot);
  }
  const TimeNs host_free_ns =
      channel_ == nullptr ? device_free_ns_ : std::max(device_free_ns_, channel_->free_ns());
  const TimeNs reaches_device = std::max(now, host_free_ns);
  if (device_->queue_depth() > 1) {  // the host issues commands one after another
    device_free_ns_ = reaches_device + options_.host_turnaround_ns;
  }
  if (reaches_device > now) {
    engine_.agenda().at(reaches_device, *this, start_command + 4 * static_cast<std::uint64_t>(slot.id));
  } else {
    hand_over(slot);
  }
}

void RequestQueue::hand_over(Slot& slot) {
  const TimeNs now = engine_.now_ns();
  slot.host_ns = now - slot.dispatched_ns;
  if (probe_ != nullptr) {
    probe_->request_started({now, options_.name, &slot, {}, device_->head_position(), outstanding_});
  }
  device_->submit(now, {slot.id, slot.start, slot.sectors, slot.is_write});
  schedule_device();
}

void RequestQueue::schedule_device() {
  const TimeNs next = device_->next_event_ns();
  if (next < scheduled_ns_) {
    scheduled_ns_ = next;
    engine_.agenda().at(next, *this, device_event);
  }
}

void RequestQueue::on_event(TimeNs now, std::uint64_t tag) {
  switch (tag % 4) {
    case start_command:
      hand_over(*slots_[tag / 4]);
      return;
    case unplug_timer:
      if (tag / 4 == plug_number_) {
        unplug();
      }
      return;
    default:
      break;
  }
  if (now >= scheduled_ns_) {
    scheduled_ns_ = never_ns;
  }
  done_.clear();
  device_->advance(now, done_);
  for (const Completion& completion : done_) {
    complete(completion);
  }
  dispatch();
  schedule_device();
}

void RequestQueue::complete(const Completion& completion) {
  const TimeNs now = engine_.now_ns();
  Slot& slot = *slots_[completion.id];
  ServiceTime service = completion.service;
  service.overhead_ns += slot.host_ns;
  if (counting_) {
    statistics_.count_request(service, slot.dispatched_ns - slot.queued_ns, now - slot.queued_ns,
                              slot.sectors, slot.is_write);
  }
  if (probe_ != nullptr) {
    probe_->request_completed(
        {now, options_.name, &slot, service, device_->head_position(), outstanding_ - 1});
  }
  --in_device_;
  --outstanding_;
  count_level();
  elevator_->completed(slot, now);
  const bool is_write = slot.is_write;
  for (Payload payload = slot.first, next = no_payload; payload != no_payload; payload = next) {
    next = payload == slot.last ? no_payload : payload_next_[payload];
    payload_done_(payload, is_write);
  }
  free_slot(slot);
  free_slots_.push_back(slot.id);
  if (device_->queue_depth() == 1) {
    device_free_ns_ = now + options_.host_turnaround_ns;
  }
  if (channel_ != nullptr) {
    channel_->release(now + options_.host_turnaround_ns);
  }
}

}  // namespace seekahead
