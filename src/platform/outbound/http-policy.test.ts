import { describe, expect, it } from 'vitest';
import { createHttpPolicy, isHostEntry, type OutboundPurpose } from './http-policy.ts';

const allowHttp = createHttpPolicy({
  insecureHosts: ['git.example', ' Registry.Example:5000 ', '127.0.0.1:3000', '[::1]:8080', 'fd00::1'],
  allowHttpWebhooks: false,
});

describe('plain HTTP', () => {
  it('is allowed only for the hosts and ports that the operator lists', () => {
    const table: [string, number, OutboundPurpose, boolean][] = [
      ['git.example', 80, 'source', true],
      ['git.example', 8_080, 'git', true],
      ['GIT.example.', 80, 'git', true],
      ['sub.git.example', 80, 'git', false],
      ['registry.example', 5_000, 'source', true],
      ['registry.example', 80, 'source', false],
      ['127.0.0.1', 3_000, 'source', true],
      ['127.0.0.1', 3_001, 'source', false],
      ['::1', 8_080, 'source', true],
      ['::1', 80, 'source', false],
      ['fd00::1', 80, 'source', true],
      ['git.example', 80, 'webhook', false],
      ['', 80, 'source', false],
    ];
    for (const [host, port, purpose, expected] of table) {
      expect(allowHttp(host, port, purpose), `${host}:${port} ${purpose}`).toBe(expected);
    }
  });

  it('is allowed for webhooks to either all hosts or none', () => {
    const open = createHttpPolicy({ insecureHosts: [], allowHttpWebhooks: true });
    expect(open('anything.example', 80, 'webhook')).toBe(true);
    expect(open('anything.example', 80, 'source')).toBe(false);
  });

  it('can be allowed only for valid hosts', () => {
    for (const entry of [
      '',
      'http://git.example',
      'git.example/x',
      'git.example:0',
      'git.example:99999',
      'a b',
      'git.example:port',
      '*',
    ]) {
      expect(isHostEntry(entry), entry).toBe(entry === '*');
    }
    expect(() => createHttpPolicy({ insecureHosts: ['a:b:c'], allowHttpWebhooks: false })).toThrow(
      /isn't a host/u,
    );
  });
});
