import { describe, expect, test } from 'vitest';
import { templateCategories } from '../routing/notification-event.ts';
import { ruleTypeIds, ruleTypes } from '../rules/rule-types.ts';
import { checkTemplate } from './check-template.ts';
import { defaultTemplates } from './default-templates.ts';
import { templateVariables, variablesOf } from './template-variables.ts';

function check(source: string, expected: { code: string; line: number; column: number; message: string }[]) {
  const result = checkTemplate(source);
  expect(result.ok ? [] : result.errors).toEqual(
    expected.map((each) => ({ ...each, message: expect.stringContaining(each.message) })),
  );
}

describe('valid templates', () => {
  test.each([
    '',
    'plain text',
    '{{ alert.severity | upcase }} {{ actor.name | default: "Pacekeeper" }}',
    '{{ alert.labels.team }}{{ alert.labels["a b"] }}{{ alert.labels.size }}{{ alert.labels[event] }}',
    '{% for event_of in events %}{{ forloop.index }}: {{ event_of.alert.severity }}{% if event_of.job %}{{ event_of.job.name }}{% endif %}{% endfor %}',
    '{{ events.size }} {{ events[0].event }} {{ events.first.alert.id }} {{ events.last.timestamp }}',
    '{% assign first = events[0].alert %}{{ first.severity }}{% assign parts = alert.artifact_name | split: "/" %}{{ parts[2] }}{{ parts.anything }}',
    '{% capture title %}{{ alert.config_name }}{% endcapture %}{{ title | json }}{{ title.size }}',
    '{% for label in alert.labels %}{{ label[0] }}={{ label[1] }}{% endfor %}{% for i in (1..3) %}{{ i }}{% endfor %}',
    '{% liquid\nassign name = alert.config_name\nif name\necho name\nendif\n%}',
    '{% raw %}{{ anything.goes }}{% endraw %}{% comment %}{{ and.here }}{% endcomment %}{% # and here %}',
    '{% case alert.severity %}{% when "high", "critical" %}!{% else %}.{% endcase %}{% unless is_acknowledged %}?{% endunless %}',
  ])('%j is accepted', (source) => check(source, []));

  test('every listed variable is accepted, and its example has its type', () => {
    for (const { name, type, example } of templateVariables) {
      check(`{{ ${name} }}`, []);
      const kind = {
        string: 'string',
        integer: 'number',
        number: 'number',
        boolean: 'boolean',
        map: 'object',
        list: 'object',
      }[type];
      expect(typeof example, name).toBe(kind);
    }
  });

  test('the description of `alert.reason` contains the reason of every rule type', () => {
    const { description } = templateVariables.find(({ name }) => name === 'alert.reason')!;
    for (const id of ruleTypeIds) expect(description).toContain(ruleTypes[id].reason);
  });

  test('the default templates use only variables of their category', () => {
    for (const category of templateCategories)
      expect(checkTemplate(defaultTemplates[category], category)).toEqual({ ok: true });
  });
});

describe('invalid templates', () => {
  test.each<[string, string, number, number, string]>([
    ['{{ alert.severty }}', 'unknown_variable', 1, 4, 'did you mean “alert.severity”?'],
    ['a\n  {{ alrt.severity }}', 'unknown_variable', 2, 6, 'did you mean “alert”?'],
    ['{{ nothing_like_it_at_all }}', 'unknown_variable', 1, 4, 'unknown variable “nothing_like_it_at_all”'],
    ['{{ alert.constructor }}', 'unknown_variable', 1, 4, 'alert.constructor'],
    ['{{ alert.severity.name }}', 'unknown_variable', 1, 4, 'alert.severity.name'],
    ['{{ alert.labels.team.name }}', 'unknown_variable', 1, 4, 'alert.labels.team.name'],
    ['{{ alert["sev"] }}', 'unknown_variable', 1, 4, 'alert.sev'],
    ['{{ event | append: alert.nope }}', 'unknown_variable', 1, 20, 'alert.nope'],
    ['{% if nope %}{% endif %}', 'unknown_variable', 1, 7, 'nope'],
    ['{% for e in events %}{{ e.alert.nope }}{% endfor %}', 'unknown_variable', 1, 25, 'e.alert.nope'],
    ['{% for e in events %}{% endfor %}{{ e.alert }}', 'unknown_variable', 1, 37, '“e”'],
    ['{% assign a = alert %}{{ a.nope }}', 'unknown_variable', 1, 26, 'a.nope'],
    ['{{ alert.labels[nope] }}', 'unknown_variable', 1, 17, 'nope'],
    ['{% for i in (1..nope) %}{% endfor %}', 'unknown_variable', 1, 17, 'nope'],
    ['{{ event | escpe }}', 'unknown_filter', 1, 1, 'did you mean “escape”?'],
    ['{{ event | where_exp: "x", "y" }}', 'unknown_filter', 1, 1, 'where_exp'],
    ['{% include "a" %}', 'unknown_tag', 1, 1, 'include'],
    ['{% render "a" %}', 'unknown_tag', 1, 1, 'render'],
    ['{% layout "a" %}', 'unknown_tag', 1, 1, 'layout'],
    ['{% block a %}{% endblock %}', 'unknown_tag', 1, 1, 'block'],
    ['{{ event', 'syntax', 1, 1, 'not closed'],
    ['\n{% if event %}', 'syntax', 2, 1, 'not closed'],
    ['{% assign = 1 %}', 'syntax', 1, 11, 'expected variable name'],
  ])('%j is rejected with the position of the error', (source, code, line, column, message) => {
    const result = checkTemplate(source);
    expect(result).toMatchObject({ ok: false });
    const [first] = result.ok ? [] : result.errors;
    expect(first).toEqual({ code, line, column, message: expect.stringContaining(message) });
  });

  test('several errors are reported together', () => {
    check('{{ nope_one }}\n{{ nope_two }}', [
      { code: 'unknown_variable', line: 1, column: 4, message: 'nope_one' },
      { code: 'unknown_variable', line: 2, column: 4, message: 'nope_two' },
    ]);
  });

  test("a template can't use variables that the events of its category don't have", () => {
    const result = checkTemplate('{{ job.name }}{{ events.size }}', 'new_alert');
    expect(result.ok ? [] : result.errors.map(({ message }) => message)).toEqual([
      "“job” isn't available for this template's events",
      "“events” isn't available for this template's events",
    ]);
    expect(variablesOf('resolved').some(({ name }) => name.startsWith('job.'))).toBe(false);
  });

  test.each([
    ['a source above 32 KiB', 'x'.repeat(32_769)],
    ['a source above 32 KiB in UTF-8', 'ä'.repeat(16_385)],
    ['tags nested thousands deep', '{% if event %}'.repeat(2_340)],
    ['indexes nested thousands deep', `{{ event${'[event'.repeat(5_000)} }}`],
    ['a comment that consists of line breaks', `{% # ${'\n'.repeat(32_000)}#`],
  ])('%s is rejected', (_name, source) => {
    expect(checkTemplate(source)).toMatchObject({ ok: false });
  });
});

describe('a template that produces JSON', () => {
  test.each([
    '{"text": "{{ alert.config_name }}"}',
    '{"text": "{{ alert.rule_name }} in {{ organization.name }}"}',
    '{"labels": "{{ alert.labels.team }}"}',
    '{% if alert.severity %}{"a": "{{ alert.artifact_name | upcase }}"}{% endif %}',
    '["{{ alert.target_file }}"]',
  ])('is rejected if a name can make it invalid: %s', (source) => {
    const check = checkTemplate(source, 'new_alert');
    expect(check.ok ? [] : check.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/a name with quotation marks.*json filter/),
    ]);
  });

  test.each(['{"text": {{ alert.config_name }}}', '{"text": {{ alert.config_name | json }}'])(
    'is rejected if it is never valid: %s',
    (source) => {
      const check = checkTemplate(source, 'new_alert');
      expect(check.ok ? [] : check.errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(/looks like JSON but isn't valid/),
      ]);
    },
  );

  test.each([
    '{"text": {{ alert.config_name | json }}}',
    '{"text": "{{ alert.config_name | json_escape }}"}',
    '{{ event }}: "{{ alert.config_name }}"',
  ])('is accepted if every name is escaped or if the body is plain text: %s', (source) => {
    expect(checkTemplate(source, 'new_alert')).toEqual({ ok: true });
  });
});
