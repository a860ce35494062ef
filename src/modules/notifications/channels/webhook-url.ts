import { findVariableIssue, withoutVariables } from '../../../domain/channels/request-address.ts';
import type { Config } from '../../../platform/config.ts';
import {
  type AllowHttp,
  createEgressGuard,
  createHttpPolicy,
  type EgressGuard,
} from '../../../platform/outbound/index.ts';

/** URL checks that don't require network access. */
export interface UrlPolicy {
  egress: Pick<EgressGuard, 'checkHostForm'>;
  allowHttp: AllowHttp;
}

export type UrlPolicyConfig = Pick<Config, 'egressAllow' | 'insecureHosts' | 'allowHttpWebhooks'>;

/**
 * Creates a policy with the same rules as for sending. It detects only violations that are visible in the URL itself.
 */
export function createUrlPolicy({
  egressAllow,
  insecureHosts,
  allowHttpWebhooks,
}: UrlPolicyConfig): UrlPolicy {
  return {
    egress: createEgressGuard({ allow: egressAllow }),
    allowHttp: createHttpPolicy({ insecureHosts, allowHttpWebhooks }),
  };
}

export interface UrlIssue {
  code: 'invalid_url' | 'https_required' | 'userinfo_not_allowed' | 'target_not_allowed';
  message: string;
}

/**
 * Returns the reasons why a URL isn't allowed for a webhook: its form, scheme, credentials, or IP address, or
 * a host name that can only be local.
 *
 * @param options.hasVariables True if the URL can contain variables of events, as the URLs of channels can.
 */
export function findUrlIssues(
  text: string,
  { egress, allowHttp }: UrlPolicy,
  { hasVariables = false }: { hasVariables?: boolean } = {},
): UrlIssue[] {
  const variableIssue = hasVariables ? findVariableIssue('url', text) : null;
  if (variableIssue !== null) return [{ code: 'invalid_url', message: variableIssue }];
  if (!hasVariables && text.includes('{{'))
    return [{ code: 'invalid_url', message: "can't contain variables" }];
  const url = parseWebhookUrl(text);
  if (url === null) return [{ code: 'invalid_url', message: 'must be an https:// URL' }];
  const issues: UrlIssue[] = [];
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (url.protocol === 'http:' && !allowHttp(url.hostname, port, 'webhook')) {
    issues.push({
      code: 'https_required',
      message:
        'must start with https://, unless an operator sets PACEKEEPER_ALLOW_HTTP_WEBHOOKS=true on the server',
    });
  }
  if (url.username !== '' || url.password !== '') {
    issues.push({
      code: 'userinfo_not_allowed',
      message: 'must not contain a user name or password; use a header instead',
    });
  }
  const verdict = egress.checkHostForm(url.hostname);
  if (!verdict.isAllowed) {
    issues.push({
      code: 'target_not_allowed',
      message: `isn't allowed because its address is ${verdict.reason}. An operator can add it to PACEKEEPER_EGRESS_ALLOW`,
    });
  }
  return issues;
}

/**
 * Returns `scheme://host/…`, which all roles can see. The rest of a webhook URL is secret, because anyone who
 * has it can send to the webhook.
 */
export function maskUrl(text: string): string {
  const url = parseWebhookUrl(text);
  if (url === null) throw new Error('masking requires a validated URL');
  return `${url.protocol}//${url.host}/…`;
}

/** Shows to all roles that a channel has a closing path, which is as secret as the path of its URL. */
export const maskedPath = '/…';

function parseWebhookUrl(text: string): URL | null {
  // URL parsers drop white space and control characters, so two parsers could read the same text as different
  // URLs.
  const plain = withoutVariables(text);
  if (/[\s\p{Cc}\\]/u.test(plain) || !/^https?:\/\//i.test(plain)) return null;
  return URL.parse(plain);
}
