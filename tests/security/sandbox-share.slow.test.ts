import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

/** Parsing this content takes minutes, so that each request ends at its deadline. */
const costly = {
  parser_type: 'regex',
  parse_expression: '(?:a?){500}a{500}$',
  content: `${'a'.repeat(500_000)}b`,
} as const;

test('parsing for one organization leaves sandbox processes for others', async () => {
  const [attacker, victim] = await Promise.all([server.createOrganization(), server.createOrganization()]);
  let ended = 0;
  // Two requests run and one waits.
  const attack = Array.from({ length: 3 }, () =>
    attacker.api
      .call('previewScrapeJob', { body: costly })
      .then(({ found }) => expect(found).toBe(false))
      .finally(() => (ended += 1)),
  );
  const preview = await victim.api.call('previewScrapeJob', {
    body: { parser_type: 'yq', parse_expression: '.a', content: 'a: 1.2.3' },
  });
  expect(preview.version).toBe('1.2.3');
  const { valid } = await victim.api.call('validateRegex', { body: { pattern: '^v(.+)$', sample: 'v1' } });
  expect(valid).toBe(true);
  const { rendered } = await victim.api.call('previewNotificationTemplate', {
    body: { category: 'new_alert', body: 'Hello' },
  });
  expect(rendered).toBe('Hello');
  expect(ended).toBe(0);
  await Promise.all(attack);
  expect(ended).toBe(3);
});
