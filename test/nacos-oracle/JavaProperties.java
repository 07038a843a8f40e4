import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;
import java.util.Scanner;

/**
 * Answers each line of standard input, a text in UTF-8 and in UTF-16, each in base64, with how java.util.Properties reads
 * it: the bytes of the one, as a server does, and the characters of the other, as the author meant them. Entries come in
 * order and with duplicates.
 */
public class JavaProperties {
  interface Loading {
    void into(Properties properties) throws Exception;
  }

  public static void main(String[] words) throws Exception {
    var lines = new Scanner(System.in, StandardCharsets.US_ASCII);
    while (lines.hasNextLine()) {
      var forms = lines.nextLine().split(" ", -1);
      var bytes = Base64.getDecoder().decode(forms[0]);
      var text = ByteBuffer.wrap(Base64.getDecoder().decode(forms[1])).asCharBuffer().toString();
      System.out.println(read(it -> it.load(new ByteArrayInputStream(bytes))) + "\t" + read(it -> it.load(new StringReader(text))));
    }
  }

  static String read(Loading loading) throws Exception {
    var entries = new StringBuilder();
    var noting = new Properties() {
      @Override
      public Object put(Object key, Object value) {
        entries.append(entries.isEmpty() ? "[" : ",[").append(Json.of(key)).append(',').append(Json.of(value)).append(']');
        return null;
      }
    };
    try {
      loading.into(noting);
    } catch (IllegalArgumentException malformed) {
      return "\"malformed\"";
    }
    return "[" + entries + "]";
  }
}
