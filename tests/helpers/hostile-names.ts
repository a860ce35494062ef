import type { EventData } from '../../src/domain/routing/notification-event.ts';

/** Hostile names that users could enter, keyed by the attack that each one attempts. */
export const hostileNames: Record<string, string> = {
  'Slack mentions':
    '<!channel> <!here|here> <@U012AB3CD> <#C012> <https://evil.example|click> &lt;!channel&gt;',
  'plain mentions': '@all @channel @here @everyone @ops-team @durov hi@example.com',
  'Discord mentions': '<@123456789012345678> <@&123456789012345678> <@!1> <#1> @everyone',
  'Teams mentions': '<at>Ana</at> <AT id="1">Ana</AT>',
  HTML: '<b>bold</b><a href="https://evil.example">x</a><script>alert(1)</script> & " \'',
  Markdown:
    '**b** _i_ ~~s~~ `c` [x](https://evil.example) ![i](https://evil.example/i.png) # h > q | t - l + l 1. n ||s||',
  'control characters': 'a\u0000b\u0007c\u001b[31md\u007fe\u0085f\r\nX-Header: 1\n\n## forged\tg\u2028h',
  'right-to-left': '\u202Egnp.exe\u202C \u2066x\u2069 \u05E9\u05DC\u05D5\u05DD \u061C',
  'hidden characters': '@\u200beve\u200bryone a\u00adb @\u2060here <\u200b!channel>',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪'.repeat(20),
  '200 letters': 'Ä'.repeat(200),
  '200 of what is escaped longest': '&<_*'.repeat(50),
  'lone surrogates': 'a\ud800b\udfffc',
  nothing: '',
  spaces: '   \u3000 ',
  Liquid: '{{ event }} {% for %}',
};

/** Replaces every user-controlled string of an event with the given name. */
export function withNames(event: EventData, name: string): EventData {
  return rename(event, name) as EventData;
}

const fixedKeys = new Set([
  'event_id',
  'idempotency_key',
  'event',
  'timestamp',
  'last_success_at',
  'last_heartbeat_at',
  'rule_type',
  'metric',
  'severity',
  'previous_severity',
  'status',
  'kind',
  'change',
  'deployed_at',
  'metric',
]);
const fixedReasons = new Set(['behind', 'version_not_found', 'version_unparseable']);

function rename(value: unknown, name: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, name));
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([each, inner]) => [each, rename(inner, name, each)]);
    return key === 'labels' ? { [name]: name, ...Object.fromEntries(entries) } : Object.fromEntries(entries);
  }
  if (typeof value !== 'string' || fixedKeys.has(key) || fixedReasons.has(value)) return value;
  return key.endsWith('url') ? `${value}?q=${name}` : name;
}
