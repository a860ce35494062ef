import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventTypeNames } from '../routing/notification-event.ts';
import { renderTemplate } from './render-template.ts';
import { sampleEvent } from './sample-events.ts';
import { templateFilters } from './template-engine.ts';

const created = sampleEvent('alert.created');

function check(source: string, body: string, event = created) {
  expect(renderTemplate(source, event)).toMatchObject({ ok: true, body });
}

describe('rendering', () => {
  test.each([
    ['{{ alert.severity | upcase }}', 'CRITICAL'],
    ['{{ alert.labels.team }}|{{ alert.labels.absent }}|{{ alert.labels.size }}', 'payments||2'],
    ['{{ alert.labels.constructor }}{{ alert.labels.__proto__ }}{{ alert.labels.toString }}', ''],
    ['{% if alert.labels.absent %}a{% else %}b{% endif %}{{ alert.labels.absent | default: "c" }}', 'bc'],
    ['{{ alert.labels | json }}', '{"team":"payments","env":"production"}'],
    ['{{ alert.labels }}', '{"team":"payments","env":"production"}'],
    [
      '{% for label in alert.labels %}{{ label[0] }}={{ label[1] }};{% endfor %}',
      'team=payments;env=production;',
    ],
    ['{{ alert.previous_severity }}|{{ alert.previous_severity | json }}', '|null'],
    ['{% if job %}a{% elsif alert %}b{% endif %}', 'b'],
    ['{{ timestamp | date: "%d %B %Y %H:%M" }}', '15 March 2026 09:30'],
    ['{{ alert.artifact_name | split: "/" | last }}', 'nginx'],
    ['{% capture x %}{{ alert.severity }}!{% endcapture %}{{ x }}{{ x | size }}', 'critical!9'],
    ['{{ "<a & \'b\'>" | escape }}', '&lt;a &amp; &#39;b&#39;&gt;'],
    ['{% case alert.severity %}{% when "high" %}a{% when "critical" %}b{% endcase %}', 'b'],
    ['{% assign alert = "x" %}{{ alert }}', 'x'],
    ['{% if alert.severity == "critical" and alert.artifact_name contains "nginx" %}yes{% endif %}', 'yes'],
    ['{% unless is_acknowledged %}no{% endunless %}{% raw %}{{ x }}{% endraw %}', 'no{{ x }}'],
  ])('%j renders as %j', (source, body) => check(source, body));

  test('`json` and `json_escape` produce valid JSON from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const event = { ...created, organization: { name } };
        const result = renderTemplate(
          '{"a": {{ organization.name | json }}, "b": "x{{ organization.name | json_escape }}"}',
          event,
        );
        expect(result).toMatchObject({ ok: true, isValidJson: true });
        const parsed: unknown = JSON.parse(result.ok ? result.body : '');
        expect(parsed).toEqual({ a: name, b: `x${name}` });
      }),
    );
  });

  test("a template can't change the data of the event", () => {
    const before = structuredClone(created);
    renderTemplate(
      '{% assign alert = 1 %}{% assign x = alert.labels | sort %}{% capture event %}{% endcapture %}{{ event }}',
      created,
    );
    expect(created).toEqual(before);
  });

  test('a failing template reports the position of the error', () => {
    const result = renderTemplate('{\n  "x": {{ job.name | json }}\n}', created);
    expect(result).toMatchObject({ ok: false, error: { code: 'unknown_variable', line: 2, column: 11 } });
  });

  test("a template can't access JavaScript internals", () => {
    for (const path of [
      'alert.constructor',
      'alert.__proto__',
      'event.charAt',
      'events.constructor',
      'constructor',
      '__proto__',
      'toString',
      'alert.labels.x.constructor',
    ]) {
      const result = renderTemplate(`{{ ${path} }}`, created);
      expect(result.ok ? result.body : '', path).toBe('');
    }
  });

  test('every filter is available', () => {
    for (const [name, filter] of Object.entries(templateFilters))
      expect(typeof filter, name).toBe('function');
    for (const name of Object.keys(templateFilters)) {
      const result = renderTemplate(`{{ "2026-01-02" | ${name}: "2", "1" | json }}`, created);
      expect(result.ok ? 'ok' : result.error.code, name).not.toBe('unknown_filter');
    }
  });
});

describe('a hostile template', () => {
  const doubling = `{% assign s = "0123456789abcdef" %}${'{% assign s = s | append: s %}'.repeat(40)}`;
  const long = `{% assign s = "aaaaaaaaaaaaaaaa" %}${'{% assign s = s | append: s %}'.repeat(14)}`;
  const list = '{% assign l = "a,b,c,d,e,f,g,h" | split: "," %}';

  test.each<[string, string]>([
    ['a range of a billion', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['an infinite range', '{% for i in (1..1e999) %}x{% endfor %}'],
    ['a range of a billion as a value', '{% assign r = (1..1000000000) %}'],
    [
      'nested loops',
      '{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    [
      'nested loops over one short list',
      `${list}${'{% for i in l %}'.repeat(12)}${'{% endfor %}'.repeat(12)}`,
    ],
    [
      'loops that only break',
      '{% assign r = (1..90000) %}{% for i in r %}{% for j in r reversed %}{% break %}{% endfor %}{% endfor %}',
    ],
    [
      'many tags that do nothing',
      `{% for i in (1..20000) %}${'{% if event %}{% endif %}'.repeat(100)}{% endfor %}`,
    ],
    ['repeated doubling with append', doubling],
    ['repeated doubling with append, without output', `${doubling}done`],
    ['repeated doubling with prepend', doubling.replaceAll('append', 'prepend')],
    [
      'repeated growth with replace',
      `{% assign s = "aaaaaaaaaaaaaaaa" %}${'{% assign s = s | replace: "a", "aaaaaaaaaaaaaaaa" %}'.repeat(20)}`,
    ],
    [
      'repeated doubling with capture',
      `{% capture s %}0123456789{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(40)}`,
    ],
    [
      'a capture of a long loop',
      `{% capture s %}{% for i in (1..90000) %}${'x'.repeat(20_000)}{% endfor %}{% endcapture %}{{ s | size }}`,
    ],
    [
      'repeated growth with escape',
      `{% assign s = "&&&&&&&&" %}${'{% assign s = s | escape %}'.repeat(60)}{{ s | size }}${'{% assign s = s | escape | append: s %}'.repeat(60)}`,
    ],
    [
      'repeated growth with url_encode',
      `{% assign s = "%%%%%%%%" %}${'{% assign s = s | url_encode | append: s %}'.repeat(60)}`,
    ],
    ['a join with a long separator', `${long}{% assign x = s | split: "" | join: s %}`],
    ['a list of long texts', `${long}{% assign l = (1..9000) %}{% for i in l %}{{ s }}{% endfor %}`],
    [
      'removal of text that almost matches everywhere',
      `${long}{% assign n = s | slice: 0, 100000 | prepend: "b" %}${'{% assign x = s | remove: n %}'.repeat(500)}`,
    ],
    [
      'contains with text that almost matches everywhere',
      `${long}{% assign n = s | slice: 0, 100000 | prepend: "b" %}{% for i in (1..9000) %}{% if s contains n %}{% endif %}{% endfor %}`,
    ],
    [
      'comparisons of long texts',
      `${long}{% capture t %}{{ s }}{% endcapture %}{% for i in (1..9000) %}{% if s == t %}{% endif %}{% endfor %}`,
    ],
    [
      'case tags with long texts',
      `${long}{% capture t %}{{ s }}{% endcapture %}{% for i in (1..9000) %}{% case s %}${'{% when t %}'.repeat(100)}{% endcase %}{% endfor %}`,
    ],
    ['a date with a wide field', '{{ timestamp | date: "%1000000000Y" }}'],
    ['a date with a long format', `{{ timestamp | date: "${'%A'.repeat(2_000)}" }}`],
    [
      'a huge number of dates',
      `{% for i in (1..90000) %}{{ timestamp | date: "${'%A'.repeat(40)}" }}{% endfor %}`,
    ],
    [
      'repeated sorting of a long list',
      `{% assign l = (1..90000) %}${'{% assign l = l | reverse | sort %}'.repeat(200)}`,
    ],
    [
      'repeated where filters on a long list',
      `{% assign l = (1..90000) %}${'{% assign m = l | where: "x" %}'.repeat(200)}`,
    ],
    ['an output above 64 KiB', `{% for i in (1..2000) %}${'x'.repeat(100)}{% endfor %}`],
    ['an output above 64 KiB in UTF-8', `{% for i in (1..400) %}${'ä'.repeat(100)}{% endfor %}`],
    ['a source above 32 KiB', 'x'.repeat(40_000)],
    ['tags nested thousands deep', '{% if event %}'.repeat(2_300)],
    ['JSON output in a long loop', '{% for i in (1..9000) %}{% assign x = alert | json %}{% endfor %}'],
    ['an unknown time zone', '{{ timestamp | date: "%Y", "Nowhere/Land" }}'],
    ['an invalid percent encoding', '{{ "%E0%A4%A" | url_decode }}'],
  ])('fails with a short error: %s', (_name, source) => {
    const result = renderTemplate(source, created);
    expect(result.ok ? result.body.slice(0, 100) : 'failed').toBe('failed');
    if (!result.ok) expect(result.error.message.length).toBeLessThan(320);
  });

  test.each([
    ['output_too_large', `{% for i in (1..2000) %}${'x'.repeat(100)}{% endfor %}`],
    ['output_too_large', `{% for i in (1..400) %}${'ä'.repeat(100)}{% endfor %}`],
    ['too_much_work', '{% for i in (1..90000) %}{% for j in (1..90000) %}{% endfor %}{% endfor %}'],
    ['source_too_large', 'x'.repeat(40_000)],
    ['output_too_deep', `{"a": ${'['.repeat(6_000)}${']'.repeat(6_000)}}`],
  ])('fails with the code %s of the limit that it exceeds', (code, source) => {
    expect(renderTemplate(source, created)).toMatchObject({ ok: false, error: { code } });
  });

  test('fails at the same position each time, regardless of the speed of the machine', () => {
    const source = '{% for i in (1..90000) %}\n{% for j in (1..10) %}{{ j }}{% endfor %}{% endfor %}';
    expect(renderTemplate(source, created)).toEqual(renderTemplate(source, created));
  });

  test('hits limits that a normal template never reaches', () => {
    const digest = sampleEvent('digest');
    const events = digest.event === 'digest' ? Array.from({ length: 20 }, () => digest.events).flat() : [];
    const source =
      '{% for e in events %}{{ e.alert.config_name | upcase | escape }}: {{ e.alert | json }}{% endfor %}';
    expect(renderTemplate(source, { ...digest, event: 'digest', cause: null, events })).toMatchObject({
      ok: true,
    });
  });
});

test('any template is either rendered or rejected with an error, for every event', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    ' alert',
    '.',
    'labels',
    ' | ',
    'json',
    'if ',
    'for i in ',
    '(1..3)',
    'endfor',
    'endif',
    '"',
    "'",
    '[',
    ']',
    'raw',
    '\n',
    '-',
    'x',
    ':',
    ',',
    '#',
  );
  const source = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(source, fc.constantFrom(...eventTypeNames), (text, eventType) => {
      const result = renderTemplate(text, sampleEvent(eventType));
      expect(typeof (result.ok ? result.body : result.error.message)).toBe('string');
    }),
    { numRuns: 500 },
  );
});
