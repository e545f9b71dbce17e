#include "k8s/decode.hpp"

#include "k8s/life_form.hpp"
#include "k8s/service_export_form.hpp"
#include "k8s/slice_export_form.hpp"
#include "k8s/slice_form.hpp"
#include "k8s/status_form.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <limits>
#include <utility>

namespace sliceferry::k8s {

namespace {

namespace json = boost::json;

/// Feeds a field_reader from Boost.JSON's events. Only what the parser hands over in parts is copied.
template <class Form>
class sax_handler {
public:
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = max_object_size;
  static constexpr std::size_t max_key_size = max_object_size;
  static constexpr std::size_t max_string_size = max_object_size;

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return begin(shape::object); }
  bool on_object_end(std::size_t, json::error_code&) { return end(); }
  bool on_array_begin(json::error_code&) { return begin(shape::array); }
  bool on_array_end(std::size_t, json::error_code&) { return end(); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    if (!reader.skipping())
      parts_.append(part);
    return true;
  }
  bool on_key(json::string_view last, std::size_t, json::error_code&) {
    if (!reader.skipping())
      whole(last, [this](std::string_view key) { reader.key(key); });
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    if (reader.wanted())
      parts_.append(part);
    return true;
  }
  bool on_string(json::string_view last, std::size_t, json::error_code&) {
    if (reader.wanted())
      whole(last, [this](std::string_view text) { reader.text(text); });
    return true;
  }

  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) {
    reader.integer(number);
    return true;
  }
  bool on_uint64(std::uint64_t, json::string_view, json::error_code&) {
    reader.odd_number(); // the parser says uint64 only above INT64_MAX
    return true;
  }
  bool on_double(double, json::string_view, json::error_code&) {
    reader.odd_number();
    return true;
  }
  bool on_bool(bool set, json::error_code&) {
    reader.flag(set);
    return true;
  }
  bool on_null(json::error_code&) { return true; }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  field_reader<Form> reader;

private:
  bool begin(shape what) {
    reader.begin(what);
    return true;
  }
  bool end() {
    reader.end();
    return true;
  }
  template <class Use>
  void whole(json::string_view last, Use use) {
    if (parts_.empty())
      return use(std::string_view{last.data(), last.size()});
    parts_.append(last);
    use(parts_);
    parts_.clear();
  }

  std::string parts_;
};

/// What one document gave: the object as far as it was read, and what was wrong, if anything.
template <class Form>
struct reading {
  typename Form::value object;
  std::string problem;
};

template <class Form>
reading<Form> read(std::string_view text) {
  json::parse_options options;
  options.max_depth = 256; // the default of 32 is less than CRDs may nest (pitfall HT22)
  json::basic_parser<sax_handler<Form>> parser{options};
  json::error_code code;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), code);
  field_reader<Form>& reader = parser.handler().reader;
  std::string problem = reader.problem();
  if (code)
    problem = code.message();
  else if (text.find_first_not_of(" \t\r\n", used) != std::string_view::npos)
    problem = "bytes follow the document";
  else if (problem.empty())
    if (const char* missing = reader.form.missing())
      problem = std::string{missing} + " is missing";
  return {std::move(reader.form.object), std::move(problem)};
}

/// The same form one level down, as a watch event holds it.
template <class Form>
class in_event : public Form {
  static constexpr field root_[] = {{"object", Form::root.at, Form::root.is, Form::root.inside}};

public:
  static constexpr field root{"", place::any, shape::object, root_};
};

std::string type_of(std::string_view line) {
  // What every API server writes; a proxy may have changed order or spacing.
  constexpr std::string_view prefix = R"({"type":")";
  if (line.starts_with(prefix)) {
    const auto end = line.find('"', prefix.size());
    if (end != std::string_view::npos)
      return std::string{line.substr(prefix.size(), end - prefix.size())};
  }
  return read<event_type_form>(line).object;
}

failure unreadable(const char* what, const std::string& why) {
  return {errc::malformed, std::string{what} + ": " + why, std::nullopt, 0};
}

failure in_stream_error(std::string_view line) {
  const auto [said, problem] = read<in_event<status_form>>(line);
  if (!problem.empty() || said.code == 0)
    return unreadable("an ERROR event", problem.empty() ? "code is missing" : problem);
  return failure_of(said.code, said, std::nullopt, call_kind::read_collection);
}

template <class T>
struct form_of;
template <>
struct form_of<endpoint_slice> {
  using type = slice_form;
};
template <>
struct form_of<service_export> {
  using type = service_export_form;
};
template <>
struct form_of<slice_export> {
  using type = slice_export_form;
};

} // namespace

template <class T>
item<T> decode_item(std::string_view json) {
  auto [object, problem] = read<typename form_of<T>::type>(json);
  if (!problem.empty())
    return malformed{std::move(object.key), std::move(problem)};
  return std::move(object);
}

template <class T>
result<T> decode_object(std::string_view json) {
  auto [object, problem] = read<typename form_of<T>::type>(json);
  if (!problem.empty())
    return unreadable(to_string(object.key).c_str(), problem);
  return std::move(object);
}

result<object_life> decode_life(std::string_view json) {
  auto [object, problem] = read<life_form>(json);
  if (!problem.empty())
    return unreadable("an object", problem);
  return std::move(object);
}

template <class T>
watch_line<T> decode_watch_line(std::string_view line) {
  const std::string type = type_of(line);
  if (type == "ERROR")
    return in_stream_error(line);
  if (type == "BOOKMARK") {
    auto [end, problem] = read<in_event<list_end_form>>(line);
    if (!problem.empty())
      return malformed{{}, "a bookmark: " + problem};
    return bookmark{std::move(end.resource_version)};
  }
  auto [object, problem] = read<in_event<typename form_of<T>::type>>(line);
  const bool deleted = type == "DELETED";
  if (problem.empty() && !deleted && type != "ADDED" && type != "MODIFIED")
    problem = "an event of unknown type";
  if (!problem.empty())
    return malformed{std::move(object.key), std::move(problem)};
  return watch_event<T>{deleted ? watch_change::deleted : watch_change::applied, std::move(object)};
}

result<list_end> decode_list_end(std::string_view envelope) {
  auto [end, problem] = read<list_end_form>(envelope);
  if (!problem.empty())
    return unreadable("a list", problem);
  return std::move(end);
}

std::optional<api_status> decode_status(std::string_view body) {
  auto [said, problem] = read<status_form>(body);
  if (!problem.empty())
    return std::nullopt;
  return std::move(said);
}

template item<endpoint_slice> decode_item<endpoint_slice>(std::string_view);
template item<service_export> decode_item<service_export>(std::string_view);
template item<slice_export> decode_item<slice_export>(std::string_view);
template result<endpoint_slice> decode_object<endpoint_slice>(std::string_view);
template result<service_export> decode_object<service_export>(std::string_view);
template result<slice_export> decode_object<slice_export>(std::string_view);
template watch_line<endpoint_slice> decode_watch_line<endpoint_slice>(std::string_view);
template watch_line<service_export> decode_watch_line<service_export>(std::string_view);
template watch_line<slice_export> decode_watch_line<slice_export>(std::string_view);

} // namespace sliceferry::k8s
