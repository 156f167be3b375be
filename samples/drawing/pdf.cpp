#include "pdf.hpp"

#include <gossip/core/error.hpp>

#ifdef DRAWING_LIBRSVG

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <memory>

namespace drawing {

bool const draws_pdf = true;

namespace {

using handle = std::unique_ptr<RsvgHandle, decltype(&g_object_unref)>;
using surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

[[noreturn]] void refuse(char const *reason) {
  throw gossip::error("PDF: expected an SVG that librsvg draws, got: " + std::string(reason));
}

[[noreturn]] void refuse(GError *fault) {
  std::unique_ptr<GError, decltype(&g_error_free)> const owner(fault, &g_error_free);
  refuse(fault->message);
}

handle read(std::string const &svg) {
  GError *fault = nullptr;
  handle read{
      rsvg_handle_new_from_data(reinterpret_cast<guint8 const *>(svg.data()), svg.size(), &fault),
      &g_object_unref};
  if (!read) refuse(fault);
  return read;
}

cairo_status_t append(void *to, unsigned char const *bytes, unsigned int count) {
  static_cast<std::string *>(to)->append(reinterpret_cast<char const *>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string pdf(std::string const &svg, double width_points) {
  handle const drawing = read(svg);
  gboolean ignored = FALSE, has_box = FALSE;
  RsvgLength length;
  RsvgRectangle box{};
  rsvg_handle_get_intrinsic_dimensions(drawing.get(), &ignored, &length, &ignored, &length,
                                       &has_box, &box);
  if (has_box == FALSE || !(box.width > 0)) refuse("one without a viewBox");
  RsvgRectangle const page{0, 0, width_points, width_points * box.height / box.width};

  std::string bytes;
  surface const target{
      cairo_pdf_surface_create_for_stream(&append, &bytes, page.width, page.height),
      &cairo_surface_destroy};
  // A date would make other bytes of the same numbers.
  cairo_pdf_surface_set_metadata(target.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  context const pen{cairo_create(target.get()), &cairo_destroy};
  GError *fault = nullptr;
  if (rsvg_handle_render_document(drawing.get(), pen.get(), &page, &fault) == FALSE) refuse(fault);
  cairo_surface_finish(target.get());
  if (auto const status = cairo_surface_status(target.get()); status != CAIRO_STATUS_SUCCESS)
    refuse(cairo_status_to_string(status));
  return bytes;
}

}  // namespace drawing

#else

namespace drawing {

bool const draws_pdf = false;

std::string pdf(std::string const &, double) {
  throw gossip::error("PDF: built without librsvg, which draws it");
}

}  // namespace drawing

#endif
