import { type ChatAction, type ChatPress, chatActions } from '../channels/chat-buttons.ts';
import { parseBoundedJson } from '../json/bounded-json.ts';
import { isItem } from '../json/json-item.ts';
import { cleanLine } from '../templates/clean-text.ts';

/**
 * Limits of a request's JSON. A request contains the message with the button: at most 50 blocks, or a digest
 * with at most 50 alerts.
 */
const pressLimits = { values: 50_000, members: 10_000, depth: 100 };

/**
 * Reads the `payload` of a Slack request. Slack also sends a request when someone clicks a link in a message,
 * but with an action that isn't one of the buttons.
 * @returns `null` for a press of an unrelated action; `undefined` if the request is invalid.
 */
export function readSlackButtonPress({ text }: { text: string }): ChatPress | null | undefined {
  const payload = parseObject(text);
  if (payload === undefined) return undefined;
  if (payload['type'] !== 'block_actions') return null;
  const [pressed] = arrayOf(payload['actions']);
  const action = chatActions.find((name) => textOf(pressed, 'action_id') === `pacekeeper_${name}`);
  if (action === undefined) return null;
  const user = payload['user'];
  const team = payload['team'];
  const enterprise = payload['enterprise'];
  const here = textOf(team, 'id') ?? textOf(enterprise, 'id');
  // In a shared channel, a person of another workspace has a different workspace ID. Slack doesn't send the
  // name of that workspace.
  const workspaceId = textOf(user, 'team_id') ?? here;
  return toPress(action, {
    token: textOf(pressed, 'value'),
    workspaceId,
    workspaceName:
      workspaceId === here
        ? (textOf(team, 'domain') ?? textOf(enterprise, 'name'))
        : `another workspace (${workspaceId})`,
    userId: textOf(user, 'id'),
    userName: textOf(user, 'username') ?? textOf(user, 'name'),
    responseUrl: textOf(payload, 'response_url'),
  });
}

/**
 * Reads a Mattermost request: JSON with the context of the button.
 *
 * @returns `undefined` if the request is invalid.
 */
export function readMattermostButtonPress({ text }: { text: string }): ChatPress | undefined {
  const payload = parseObject(text);
  const context = payload?.['context'];
  const action = chatActions.find((name) => textOf(context, 'action') === name);
  if (action === undefined) return undefined;
  return toPress(action, {
    token: textOf(context, 'token'),
    workspaceId: textOf(payload, 'team_id'),
    workspaceName: textOf(payload, 'team_domain'),
    userId: textOf(payload, 'user_id'),
    userName: textOf(payload, 'user_name'),
    responseUrl: null,
  });
}

/** Pattern for the IDs of both platforms, which are short. */
const idPattern = /^[\w-]{1,64}$/;

function toPress(
  action: ChatAction,
  found: {
    token: string | undefined;
    workspaceId: string | undefined;
    workspaceName: string | undefined;
    userId: string | undefined;
    userName: string | undefined;
    responseUrl: string | undefined | null;
  },
): ChatPress | undefined {
  const { token, workspaceId, userId } = found;
  if (token === undefined || userId === undefined || !idPattern.test(userId)) return undefined;
  if (workspaceId === undefined || !idPattern.test(workspaceId)) return undefined;
  return {
    action,
    token,
    workspace: { id: workspaceId, name: nameOr(found.workspaceName, workspaceId) },
    user: { id: userId, name: nameOr(found.userName, userId) },
    responseUrl: found.responseUrl ?? null,
  };
}

function nameOr(name: string | undefined, id: string): string {
  return cleanLine(name ?? '', 100) || id;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseBoundedJson(text, pressLimits);
  return parsed.ok && isItem(parsed.value) ? parsed.value : undefined;
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, name: string): string | undefined {
  const member = isItem(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : undefined;
}
