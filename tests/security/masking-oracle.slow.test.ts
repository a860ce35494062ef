import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long-tests.ts';
import { newSigningSecret, randomText, startChannelServer } from './channel-fixture.ts';

/**
 * Someone who can have a string masked must not be able to find out how much of a guessed secret is correct.
 */

const { inbox, as, make, delivery, alertTo } = await startChannelServer({
  PACEKEEPER_RETRY_SCHEDULE_SECONDS: '1',
});

const secrets = {
  'the signing secret': newSigningSecret(),
  'a header': `Bearer ${randomText()}${randomText()}`,
  'the path': `/hook/${randomText()}`,
  'a preset option': randomText(),
};
type Secret = keyof typeof secrets;
const names = Object.keys(secrets) as Secret[];

let channelId = 0;
let answer: string | null = null;

beforeAll(async () => {
  channelId = await make.channel({
    url: `${inbox.url.replace(/\/$/, '')}${secrets['the path']}`,
    preset: 'pagerduty',
    preset_options: { routing_key: secrets['a preset option'] },
    headers: { 'X-Token': secrets['a header'] },
    signing_secret: secrets['the signing secret'],
  });
  inbox.answerAlways(({ body }) => ({ status: 500, body: answer ?? body }));
});

/** Returns prefixes of a secret, each once correct and once with a wrong last character. */
function guessesOf(secret: string): string[] {
  return [3, 6, 7, 8, 20, 31, 32, 33, 36]
    .filter((length) => length < secret.length)
    .flatMap((length) => {
      const last = secret[length - 1] === 'x' ? 'y' : 'x';
      return [secret.slice(0, length), secret.slice(0, length - 1) + last];
    });
}

const setTemplate = (template: string) =>
  as.member.call('updateNotificationChannel', { path: { id: channelId }, body: { template } });

const testAs = (role: 'member' | 'admin') =>
  as[role].call('testNotificationChannel', { path: { id: channelId } });

async function testWith(template: string) {
  await setTemplate(template);
  const [member, admin] = await Promise.all([testAs('member'), testAs('admin')]);
  return { member, admin };
}

describe.each(names)('a partly correct guess of %s', (name) => {
  const guesses = guessesOf(secrets[name]);

  test('has the same result as a wrong guess at the end of a message, and in a response that echoes it', async () => {
    answer = null;
    for (const guess of guesses) {
      const template = `A guess: ${guess}, and ${guess}`;
      const { member, admin } = await testWith(template);
      expect(inbox.requests.at(-1)!.body).toBe(template);
      expect(admin).toMatchObject({ request_body: template, response_body: template });
      expect(member).toMatchObject({ status_code: 500, request_body: null, response_body: null });
    }
  });

  test('has the same result as a wrong guess where a response is truncated', async () => {
    await setTemplate('A test.');
    for (const [index, guess] of guesses.entries()) {
      const filler = '.'.repeat(4_096 - guess.length);
      const rests = ['', '.', ` ${guess}`.repeat(400), '.'.repeat(20_000), `.${guess}`.repeat(4_000)];
      // In the short form, each pair of a correct and a wrong guess is followed by the same text.
      for (const rest of isLong ? rests : [rests[Math.floor(index / 2) % rests.length]!]) {
        answer = filler + guess + rest;
        expect((await testAs('admin')).response_body).toBe(filler + guess);
      }
    }
  });
});

test('whole secrets in a message appear as in the template, so guesses can’t be verified', async () => {
  answer = '';
  for (const name of names) {
    const template = `It is ${secrets[name]}`;
    expect((await testWith(template)).admin.request_body).toBe(template);
  }
});

test('a stored message and the stored responses reveal nothing about guesses either', async () => {
  answer = null;
  const guesses = names.flatMap((name) => guessesOf(secrets[name]));
  for (const last of [guesses.at(0)!, guesses.at(1)!, guesses.at(-1)!, guesses.at(-2)!]) {
    const template = [...guesses, last].join(' | ');
    await setTemplate(template);
    await alertTo(channelId);
    const { id } = await delivery(channelId, 'dead_letter');
    const { payload, attempts } = await as.owner.call('getNotificationDelivery', { path: { id } });
    expect(payload).toBe(template);
    for (const { response_body } of attempts) expect(response_body).toBe(template);
  }
});

test('no part of a secret is shown if the response is truncated inside it', async () => {
  await setTemplate('A test.');
  for (const name of names) {
    for (const shown of [1, 10, 20]) {
      const filler = '.'.repeat(4_096 - shown);
      answer = `${filler}${secrets[name]}${randomBytes(40_000).toString('hex')}`;
      expect((await testAs('admin')).response_body).toBe(`${filler}…`);
    }
  }
});
