import { afterAll, describe, expect, test } from 'vitest';
import { renderPreset } from '../../src/domain/templates/presets.ts';
import { renderEmail } from '../../src/domain/templates/render-email.ts';
import { renderTemplate } from '../../src/domain/templates/render-template.ts';
import { sampleEvent } from '../../src/domain/templates/sample-events.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createMailInbox } from '../helpers/mail-inbox.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';

const mails = await createMailInbox();
const webhooks = await createWebhookInbox();
const server = await startTestServer({
  PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
  PACEKEEPER_EMAIL_FROM: 'alerts@bücher.example',
  PACEKEEPER_EMAIL_DOMAINS: 'bücher.example',
});
afterAll(async () => {
  await mails.close();
  await webhooks.close();
});

const emailChannel = (recipients: string[]) => ({ name: 'Team', channel_type: 'email' as const, recipients });

describe('times in messages', () => {
  const at = { ...sampleEvent('job.failing'), timezone: 'Europe/Berlin' };

  test.each(['slack', 'teams'] as const)('are in the time zone of the channel in %s', (preset) => {
    const body = renderPreset(preset, at, {});
    expect(body).toContain('Mar 15, 2026, 10:30 GMT+1');
    expect(body).toContain('Mar 12, 2026, 10:30 GMT+1');
    expect(body).not.toContain('UTC');
  });

  test('are in the time zone of the channel in emails, with its daylight saving time', () => {
    const { text, html } = renderEmail({ ...at, timestamp: '2026-07-15T09:30:00.000Z' });
    for (const part of [text, html]) expect(part).toContain('Jul 15, 2026, 11:30 GMT+2');
  });

  test('can be converted to the time zone of the channel by a template', () => {
    const template = '{{ timestamp | date: "%Y-%m-%d %H:%M", timezone }}';
    expect(renderTemplate(template, at)).toMatchObject({ ok: true, body: '2026-03-15 10:30' });
  });

  test('use the time zone that is set for the channel', async () => {
    const { api } = await server.createOrganization();
    const channel = { name: 'Tokyo', preset: 'slack', url: webhooks.url, timezone: 'Asia/Tokyo' } as const;
    const { id } = await api.call('createNotificationChannel', { body: channel });
    const { request_body } = await api.call('testNotificationChannel', { path: { id } });
    expect(request_body).toMatch(/\d\d:\d\d GMT\+9/);
  });
});

describe('internationalized domains', () => {
  test('of recipients are accepted, and stored in the ASCII form that mail servers use', async () => {
    const { api } = await server.createOrganization();
    const body = emailChannel(['Ana@BÜCHER.example']);
    const { id, recipients } = await api.call('createNotificationChannel', { body });
    expect(recipients).toEqual(['ana@xn--bcher-kva.example']);
    expect(await api.call('testNotificationChannel', { path: { id } })).toMatchObject({ success: true });
    const { raw } = mails.mails.at(-1)!;
    expect(raw).toContain('To: ana@xn--bcher-kva.example');
    expect(raw).toContain('<alerts@xn--bcher-kva.example>');
  });

  test.each(['ana@münchen.example', 'ana@bücher.example.org'])(
    'of recipients are rejected if the operator doesn’t allow them: %s',
    async (recipient) => {
      const { api } = await server.createOrganization();
      const body = emailChannel([recipient]);
      await expect(api.call('createNotificationChannel', { body })).rejects.toMatchObject({
        code: 'validation_failed',
      });
    },
  );

  test('of recipients can follow only ASCII letters before the @, and the error states that', async () => {
    const { api } = await server.createOrganization();
    const body = emailChannel(['jörg@bücher.example']);
    await expect(api.call('createNotificationChannel', { body })).rejects.toThrow(/only ASCII letters/);
  });

  test.each([
    ['PACEKEEPER_EMAIL_DOMAINS', 'emailDomains', ['xn--bcher-kva.example']],
    ['PACEKEEPER_INSECURE_HOSTS', 'insecureHosts', ['xn--bcher-kva.example']],
    ['PACEKEEPER_NO_PROXY', 'noProxy', ['xn--bcher-kva.example']],
  ] as const)('can be in %s', (variable, name, expected) => {
    expect(readConfig({ [variable]: 'bücher.example' })[name]).toEqual(expected);
  });

  test('can be the host of the mail server', () => {
    const { smtpServer } = readConfig({
      PACEKEEPER_SMTP_URL: 'smtp://mail.bücher.example',
      PACEKEEPER_EMAIL_FROM: 'a@b.example',
    });
    expect(smtpServer).toMatchObject({ host: 'mail.xn--bcher-kva.example' });
  });
});
