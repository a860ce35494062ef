/** A component of an iCalendar file. Its properties are plain text without their parameters. */
export interface CalendarComponent {
  name: string;
  properties: Map<string, string>;
  components: CalendarComponent[];
}

/** Parses the subset of RFC 5545 that Pacekeeper writes, and throws at the first violation. */
export function readCalendar(text: string): CalendarComponent {
  if (!text.endsWith('\r\n')) throw new Error('the last line has no end');
  const physical = text.slice(0, -2).split('\r\n');
  for (const line of physical) {
    if (Buffer.byteLength(line) > 75) throw new Error(`more than 75 octets: ${line}`);
    if (/[^\P{Cc}\t]/u.test(line)) throw new Error(`a control character: ${JSON.stringify(line)}`);
    if (line.includes('\uFFFD') && !text.includes('\uFFFD')) throw new Error('a character is split');
  }
  const lines = physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
  const [root, end] = readComponent(lines, 0);
  if (end !== lines.length) throw new Error('something follows the calendar');
  if (root.name !== 'VCALENDAR' || root.components.length === 0) throw new Error('not a calendar');
  for (const name of ['VERSION', 'PRODID']) {
    if (!root.properties.has(name)) throw new Error(`${name} is missing`);
  }
  for (const { name, properties } of root.components) {
    const required = name === 'VEVENT' ? ['UID', 'DTSTAMP', 'DTSTART'] : ['TZID'];
    for (const each of required) if (!properties.has(each)) throw new Error(`${each} is missing`);
    for (const each of ['DTSTAMP', 'DTSTART']) {
      // The start of an all-day event is a date without a time.
      const isTime = /^\d{8}T\d{6}Z$/.test(properties.get(each) ?? '');
      const isDay = each === 'DTSTART' && /^\d{8}$/.test(properties.get(each) ?? '');
      if (name === 'VEVENT' && !isTime && !isDay) throw new Error(`${each} is no time`);
    }
  }
  return root;
}

function readComponent(lines: readonly string[], start: number): [CalendarComponent, end: number] {
  const name = /^BEGIN:([A-Z]+)$/.exec(lines[start] ?? '')?.[1];
  if (name === undefined) throw new Error(`no component begins at ${lines[start]}`);
  const component: CalendarComponent = { name, properties: new Map(), components: [] };
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line === `END:${name}`) return [component, at + 1];
    if (line.startsWith('BEGIN:')) {
      const [inner, end] = readComponent(lines, at);
      component.components.push(inner);
      at = end - 1;
      continue;
    }
    const match = /^([A-Z-]+)(?:;[A-Z]+=[A-Z]+)*:(.*)$/su.exec(line);
    if (match === null) throw new Error(`not a property: ${line}`);
    if (component.properties.has(match[1]!)) throw new Error(`twice: ${line}`);
    component.properties.set(match[1]!, unescapeText(match[2]!));
  }
  throw new Error(`${name} doesn't end`);
}

function unescapeText(text: string): string {
  if (/(?<!\\)(?:\\\\)*\\(?![\\;,nN])/.test(text)) throw new Error(`a wrong escape: ${text}`);
  return text.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));
}
