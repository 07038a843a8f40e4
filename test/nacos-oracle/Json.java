/** The little of JSON that the answers need. */
final class Json {
  static String of(Object text) {
    var quoted = new StringBuilder("\"");
    for (char unit : text.toString().toCharArray()) quoted.append(String.format("\\u%04x", (int) unit));
    return quoted.append('"').toString();
  }
}
