import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originOf } from '../../domain/channels/channel-target.ts';
import type { ChatPress, ChatReply } from '../../domain/channels/chat-buttons.ts';
import { readMattermostButtonPress, readSlackButtonPress } from '../../domain/chat/read-press.ts';
import { mattermostReply } from '../../domain/templates/presets/mattermost-preset.ts';
import { slackReply } from '../../domain/templates/presets/slack-preset.ts';
import type { Config } from '../../platform/config.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import {
  type BodyBudget,
  createRateLimit,
  type InvalidCredentialLimit,
  readSignedBody,
} from '../../platform/http/index.ts';
import type { Log } from '../../platform/log.ts';
import { createRateLimitedLog } from '../../platform/log-sparingly.ts';
import { type OutboundClient, OutboundError } from '../../platform/outbound/index.ts';
import {
  readUntrustedJson,
  type Sandbox,
  throwSandboxFailure,
  type UntrustedJsonReader,
} from '../../platform/sandbox/index.ts';
import {
  type ChatChannel,
  findChatChannel,
  findSlackChannelAcrossOrganizations,
  readButtonToken,
} from '../notifications/index.ts';
import { handlePress, type PressDeps, type PressResponse } from './handle-press.ts';
import { recordPress } from './press-queries.ts';
import { isFromSlack } from './verify-slack.ts';

export interface ServeChatButtonsDeps extends PressDeps {
  log: Log;
  outbound: OutboundClient;
  /**
   * Sandbox that parses large requests. Every organization with a Slack channel can sign requests, so their content
   * isn't trusted.
   */
  responseSandbox: Pick<Sandbox, 'run'>;
  version: string;
  guessing: InvalidCredentialLimit;
  bodyBudget: BodyBudget;
  config: Pick<Config, 'rateLimitPerMinute'>;
}

/**
 * Maximum size of a Slack request. The request contains the message of the button, form-encoded with up to nine bytes
 * for each character.
 */
const maxSlackBytes = 256 * 1024;
const maxMattermostBytes = 16 * 1024;
/** Rate limit for each channel. */
const pressesPerMinute = 600;
/**
 * Timeout of the request to Slack's response URL. This request is sent before the response to the press, for
 * which Slack waits only three seconds.
 */
const slackTimeoutMs = 2_000;

const epoch = new Date(0);

/**
 * Registers `POST /chat/slack/<id>` and `POST /chat/mattermost`. The ID isn't a secret: senders without the
 * signing secret get the same response as for an unknown ID.
 */
export function serveChatButtons(app: FastifyInstance, deps: ServeChatButtonsDeps): void {
  const limit = createRateLimit(deps.config.rateLimitPerMinute > 0 ? pressesPerMinute : 0);
  const warn = createRateLimitedLog(deps.log);

  app.post('/chat/slack/:id', async (request, reply) => {
    const body = await readSignedBody(request, reply, deps.bodyBudget, maxSlackBytes);
    try {
      const { id } = request.params as { id: string };
      const { channel, now } = await authenticateSlack(deps, id, request, body.bytes);
      countPress(channel);
      requireType(request, 'application/x-www-form-urlencoded');
      const text = new URLSearchParams(body.bytes.toString('utf8')).get('payload') ?? '';
      const press = await readPress(deps.responseSandbox, text, channel.organizationId);
      if (press === undefined) throw invalidField('payload', 'must be an interaction of Slack in JSON');
      const key = hash(Buffer.from(`${String(request.headers['x-slack-request-timestamp'])}.`), body.bytes);
      // Ignore clicks on links in messages, which Slack reports too, and repeated requests, which must not take effect
      // twice.
      if (press === null || !(await recordPress(deps.db, channel, key)))
        return await reply.status(200).send();
      const read = readButtonToken(deps.buttonSigner, press.token, epoch);
      const answer =
        read.ok && read.target.organizationId === channel.organizationId
          ? await handlePress(deps, press, {
              target: read.target,
              ...(await channelOfMessage(read.target.channelId, channel)),
            })
          : invalidButton;
      await respondToSlack(channel, press.responseUrl, answer);
      return await reply.status(200).send();

      /**
       * Returns the channel of a message, which can differ from the channel in the URL: all channels of a Slack app
       * have the same signing secret, and Slack sends all presses to the URL of one of them.
       */
      async function channelOfMessage(channelId: number, called: ChatChannel) {
        if (channelId === called.id) return { channel: called, now };
        const found = await findChatChannel(deps.db, deps.secretBox, called.organizationId, channelId);
        const isSameApp = found.channel?.realm.id.equals(called.realm.id) ?? false;
        return isSameApp ? found : { channel: null, now };
      }
    } finally {
      body.release();
    }
  });

  app.post('/chat/mattermost', async (request, reply) => {
    const body = await readSignedBody(request, reply, deps.bodyBudget, maxMattermostBytes);
    try {
      requireType(request, 'application/json');
      // Mattermost doesn't sign its requests, so the token in the body authenticates the request.
      const press = readMattermostButtonPress({ text: body.bytes.toString('utf8') });
      const read = press && readButtonToken(deps.buttonSigner, press.token, epoch);
      if (!press || !read?.ok) {
        deps.guessing.countInvalid(request);
        throw new ApiError('unauthenticated', 'Unknown button.');
      }
      const { target } = read;
      const found = await findChatChannel(deps.db, deps.secretBox, target.organizationId, target.channelId);
      const isSameRealm = found.channel?.realm.id.toString('base64url') === target.realm;
      const channel = isSameRealm ? found.channel : null;
      if (channel !== null) {
        countPress(channel);
        if (!(await recordPress(deps.db, channel, hash(body.bytes)))) return await reply.status(200).send({});
      }
      const answer = await handlePress(deps, press, { target, channel, now: found.now });
      return await reply.status(200).send(toMattermost(answer));
    } finally {
      body.release();
    }
  });

  function countPress({ organizationId, id }: ChatChannel): void {
    const { retryAfterSeconds } = limit.take(`${organizationId}/${id}`);
    if (retryAfterSeconds > 0)
      throw new ApiError('rate_limited', 'Too many button clicks in this channel. Try again shortly.', {
        retryAfterSeconds,
      });
  }

  /**
   * Sends the response to Slack. Failures are only logged, because the button press has already taken effect.
   */
  async function respondToSlack(
    { secrets }: ChatChannel,
    url: string | null,
    answer: PressResponse,
  ): Promise<void> {
    if (url === null || !isResponseUrl(url, secrets.url)) {
      warn({ route: '/chat/slack/:id' }, "a click on a Slack button had a response URL that isn't Slack's");
      return;
    }
    const body =
      'message' in answer
        ? { replace_original: true, ...answer.message }
        : { response_type: 'ephemeral', replace_original: false, text: slackReply(answer.reply) };
    try {
      await deps.outbound.requestHead({
        url,
        purpose: 'webhook',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': `Pacekeeper/${deps.version}` },
        body: JSON.stringify(body),
        timeoutMs: slackTimeoutMs,
        maxBytes: 4_096,
        keepBytes: 0,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      // Omits the error, because its message can contain the URL, which is a secret.
      warn({ code: error.code }, "couldn't respond to a click on a Slack button");
    }
  }
}

const slackReader: UntrustedJsonReader<{ text: string }, ChatPress | null | undefined> = {
  read: readSlackButtonPress,
  moduleUrl: new URL('../../domain/chat/read-press.ts', import.meta.url),
  exportName: 'readSlackButtonPress',
};

async function readPress(
  sandbox: Pick<Sandbox, 'run'>,
  text: string,
  organizationId: number,
): Promise<ChatPress | null | undefined> {
  try {
    return await readUntrustedJson(sandbox, slackReader, { text }, String(organizationId));
  } catch (error) {
    throwSandboxFailure(error, {
      busy: 'The server is reading too many requests. Try again shortly.',
      tooCostly: { field: 'payload', message: 'takes too much time or memory to read' },
    });
  }
}

async function authenticateSlack(
  { db, secretBox, guessing }: ServeChatButtonsDeps,
  id: string,
  request: FastifyRequest,
  body: Buffer,
): Promise<{ channel: ChatChannel; now: Date }> {
  const isPossible = /^[\w-]{22}$/u.test(id);
  const { channel, now } = await findSlackChannelAcrossOrganizations(db, secretBox, isPossible ? id : '');
  const secret = channel?.secrets.presetOptions['slack_signing_secret'] ?? randomBytes(16).toString('hex');
  if (isFromSlack(secret, request.headers, body, now) && channel !== null) return { channel, now };
  guessing.countInvalid(request);
  throw new ApiError('unauthenticated', 'Unknown channel or invalid signature.');
}

function requireType({ headers }: FastifyRequest, type: string): void {
  const given = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (given !== type) throw new ApiError('unsupported_media_type', `Send ${type}.`);
}

/**
 * True if the URL is on Slack's host for responses or on the host of the channel's URL, which can be another
 * Slack domain.
 */
function isResponseUrl(url: string, channelUrl: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false;
  return parsed.origin === 'https://hooks.slack.com' || parsed.origin === originOf(channelUrl);
}

function toMattermost(answer: PressResponse): object {
  if ('reply' in answer) return { ephemeral_text: mattermostReply(answer.reply) };
  const { text, attachments } = answer.message as { text: string; attachments: object[] };
  return { update: { message: text, props: { attachments } } };
}

const invalidButton: { reply: ChatReply } = { reply: { text: "This button isn't valid.", url: null } };

function hash(...parts: readonly Buffer[]): Buffer {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
}
