#include "cli/calibrate/drive_writer.hpp"

#include <algorithm>

#include "sim/scenario/echo.hpp"
#include "sim/text/output_file.hpp"

namespace seekahead::cli {

namespace {

bool is_replaced(const DriveSource& source, const std::vector<DriveSource>& fitted) {
  return std::any_of(fitted.begin(), fitted.end(), [&source](const DriveSource& f) {
    return source.key == f.key || source.key.starts_with(f.key + ".");
  });
}

}  // namespace

void write_drive(const LoadedDrive& drive, const std::string& description,
                 const std::vector<DriveSource>& fitted, const std::string& path) {
  Node root;
  root.set("model", Node::make_text(drive.device.model->name));
  root.set("name", Node::make_text(drive.name));
  root.set("description", Node::make_text(description));
  echo(*drive.device.parameters, root);
  Node sources;
  const auto add = [&sources](const DriveSource& source) {
    Node entry;
    entry.set("source", Node::make_text(source.source));
    entry.set("confidence", Node::make_text(source.confidence));
    sources.set(source.key, std::move(entry));
  };
  for (const DriveSource& source : drive.sources) {
    if (!is_replaced(source, fitted)) {
      add(source);
    }
  }
  for (const DriveSource& source : fitted) {
    add(source);
  }
  root.set("source", std::move(sources));
  OutputFile file(path);
  file.write(write_toml(root));
  file.finish();
}

}  // namespace seekahead::cli
