import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSigningSecret, parseSigningSecret, signWebhook } from './webhook-signature.ts';

describe('the signature of a webhook', () => {
  it('matches the published example', () => {
    const signature = signWebhook('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ]);
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is accepted by the public Standard Webhooks library for text, bytes, and every secret', () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    for (const body of ['{}', '{"text":"Größe 😀"}', JSON.stringify({ long: 'x'.repeat(60_000) })]) {
      const secrets = [createSigningSecret(), createSigningSecret()];
      const signature = signWebhook('msg_1', timestamp, Buffer.from(body), secrets);
      expect(signature).toBe(signWebhook('msg_1', timestamp, body, secrets));
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      };
      // After a secret is rotated, the receiver can have either secret.
      for (const secret of secrets)
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(createSigningSecret()).verify(body, headers)).toThrow();
      expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
      expect(() =>
        new Webhook(secrets[0] ?? '').verify(body, { ...headers, 'webhook-id': 'msg_2' }),
      ).toThrow();
    }
  });
});

describe('a signing secret', () => {
  it('is created in the format that the parser accepts', () => {
    expect(createSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/u);
    expect(parseSigningSecret(createSigningSecret())?.byteLength).toBe(24);
    const key = Buffer.alloc(64, 7);
    expect(parseSigningSecret(`whsec_${key.toString('base64')}`)).toEqual(key);
    expect(parseSigningSecret(key.toString('base64'))).toEqual(key);
  });

  it('must be 24 to 64 bytes in base64', () => {
    const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    for (const text of [
      '',
      'whsec_',
      'secret',
      of(23),
      of(65),
      `${of(24)} `,
      `${of(24)}*`,
      `WHSEC_${of(24).slice(6)}`,
      `whsec_${'_'.repeat(32)}`,
      `whsec_${'a'.repeat(33)}`,
    ]) {
      expect(parseSigningSecret(text), text).toBeNull();
    }
    expect(() => signWebhook('msg_1', 1, '{}', ['secret'])).toThrow(/24 to 64 bytes/u);
  });
});
