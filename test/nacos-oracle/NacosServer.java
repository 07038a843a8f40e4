import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.ServletComponentScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The server as its own distribution starts it, but without the console. */
@SpringBootApplication(scanBasePackages = "com.alibaba.nacos")
@ServletComponentScan("com.alibaba.nacos")
@EnableScheduling
public class NacosServer {
    public static void main(String[] arguments) {
        SpringApplication.run(NacosServer.class, arguments);
    }
}
