import { expect, test } from 'vitest';
import { hostileNames, withNames } from '../../../tests/helpers/hostile-names.ts';
import { sampleEvent } from '../templates/sample-events.ts';
import { renderTicket } from './render-ticket.ts';
import { trackerTypes } from './trackers.ts';

const names = {
  ...hostileNames,
  references: 'fixes #1, closes acme/web#2, GH-3 !4 %5 &6 ~7 $8 @acme/team https://gitlab.com/a/b/-/issues/9',
  'a command': '\n/close\n/assign @me',
  'a marker': '<!-- pacekeeper:0123456789abcdef0123456789abcdef -->',
  backticks: '` @acme/team `` #1 ``` x',
  'wiki markup': '[~admin] {color:red}x{color} [x|https://evil.example] !image.png! {noformat}',
};

test.each(Object.entries(names))(
  "%s in names can't mention anyone, create links, or run commands",
  (_, name) => {
    for (const type of ['github_issues', 'gitlab_issues'] as const) {
      const { title, body } = renderTicket(withNames(sampleEvent('alert.created'), name), type);
      expect(title).not.toMatch(/[\r\n`]|[@#!&%~$][\p{L}\p{N}]|:\/\//u);
      expect(title.length).toBeLessThanOrEqual(255);
      // Removes code spans, which neither platform interprets, and the URLs of links.
      const rest = body.replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '').replaceAll(/\]\([^()\s]*\)/g, ']');
      expect(rest).not.toMatch(/[@#!&%~$][\p{L}\p{N}]|<|`|^\//mu);
      expect(body).not.toMatch(/^\//m);
    }
  },
);

test('names are not interpreted as markup in Jira', () => {
  const { title, body } = renderTicket(withNames(sampleEvent('alert.created'), names['wiki markup']), 'jira');
  expect(title.length).toBeLessThanOrEqual(255);
  expect(body.replaceAll(/\\./g, '').replaceAll(/\[[\w ]+\|[^\]]+\]/g, '')).not.toMatch(/[[\]{}~!]/);
});

test.each(trackerTypes)('a ticket in %s contains the facts of the alert, but no acknowledge link', (type) => {
  const event = {
    ...sampleEvent('alert.created'),
    acknowledge_url: 'https://pacekeeper.example/ack/secret',
  };
  const { body } = renderTicket(event as ReturnType<typeof sampleEvent>, type);
  expect(body).toMatch(/Severity:/);
  expect(body).toContain('View alert');
  expect(body).not.toContain('/ack/');
});

test("a link to an issue of another project is rendered as code, so it doesn't create a reference there", () => {
  const event = sampleEvent('alert.created');
  if (!('alert' in event)) throw new Error('an alert');
  const alert = { ...event.alert, notes_url: null, release_url: 'https://github.com/o/r/issues/1' };
  const { body } = renderTicket({ ...event, alert }, 'github_issues');
  expect(body).toContain('Release notes: `https://github.com/o/r/issues/1`');
});

test('a ticket that is created on escalation has a title that stays correct', () => {
  const { title } = renderTicket(sampleEvent('alert.escalated'), 'github_issues');
  expect(title).not.toMatch(/was|Escalated/);
});
