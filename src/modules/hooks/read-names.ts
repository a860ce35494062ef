import { type HookNames, parseHookEvent } from '../../domain/hooks/hook-names.ts';
import {
  readUntrustedJson,
  type Sandbox,
  throwSandboxFailure,
  type UntrustedJsonReader,
} from '../../platform/sandbox/index.ts';
import type { HookToVerify } from './hook-queries.ts';
import { eventText, type ReceivedHook, readEventTypeHeader } from './verify-hook.ts';

const eventReader: UntrustedJsonReader<Parameters<typeof parseHookEvent>[0], HookNames | null> = {
  read: parseHookEvent,
  moduleUrl: new URL('../../domain/hooks/hook-names.ts', import.meta.url),
  exportName: 'parseHookEvent',
};

/**
 * Returns the repositories and artifacts of an event, or null if the event isn't valid JSON.
 * @throws ApiError 503 if the sandbox has no capacity
 */
export async function readNamesInSandbox(
  sandbox: Pick<Sandbox, 'run'>,
  { kind, organizationId }: Pick<HookToVerify, 'kind' | 'organizationId'>,
  { headers, body }: Pick<ReceivedHook, 'headers' | 'body'>,
): Promise<HookNames | null> {
  const text = eventText(body);
  const input = { kind, event: readEventTypeHeader(kind, headers), text };
  try {
    return await readUntrustedJson(sandbox, eventReader, input, String(organizationId));
  } catch (error) {
    throwSandboxFailure(error, {
      busy: 'The server is reading too many events. Try again shortly.',
      tooCostly: { field: 'body', message: 'takes too much time or memory to read. Send a smaller event' },
    });
  }
}
