import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { generateSigningSecret } from './signing-secret.ts';

test('a generated secret is accepted by the Standard Webhooks library', () => {
  const secret = generateSigningSecret((bytes) => crypto.getRandomValues(bytes));
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Webhook(secret).sign('msg_1', new Date(0), '{}')).toMatch(/^v1,/);
  expect(generateSigningSecret((bytes) => crypto.getRandomValues(bytes))).not.toBe(secret);
});
