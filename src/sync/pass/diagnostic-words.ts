/** What checks and reloads say of configurations, and no configuration would keep secret. In lower case. */
export const DIAGNOSTIC_WORDS: ReadonlySet<string> = new Set(
  `about above accept access active after again all allowed already alert also an and another any are argument
  arguments as at available backend bad bash because been before below between bind block both brace bracket but by
  cannot certificate change changed character characters check child client close column command compile compiled
  conf config configuration conflicting conflicts connect connection contain contains correct could create crit
  critical curl daemon debug default defined denied deprecated did directive directives directory disabled does done
  duplicate duplicated each either else emerg emergency empty enabled end ended ending error errors exceeded exist
  exists exit exited expected expecting fail failed failure fatal field file files find first for found frontend from
  get got greater group had haproxy has have header host hostname httpd ignored ignoring illegal in include included
  incomplete info inside instead integer internal into invalid is it its job key last less line lines link listen
  listener load loaded loading local location long lookup loop malformed many maximum may memory might minimum missing
  mode module more must name named names near need needs negative new nginx no none not nothing notice null number of
  off ok old on once one only open opened operation option options or other out outside over parameter parameters
  parenthesis parse parsed parser parsing path permission permitted pid pipe port position process program protocol
  proxy quote range read reading reason redis refused reload reloaded reloading repeated required reset resolve
  resolved resource restart result root running same section semicolon server servers service session shell short
  should signal size small socket some start started starting statement status stop stopped string successful
  successfully such support supported symbol syntax system systemctl systemd table temporary terminated test than that
  the there these this time timed timeout to token too try type unable unclosed unexpected unit unknown unmatched
  unrecognized unset unsupported unterminated until unused up upstream url use used user value values variable version
  warn warning warnings was were when where which while whitespace with without word write writing wrong you your zero
  zone`.split(/\s+/),
)
