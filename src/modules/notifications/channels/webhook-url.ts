import type { Config } from '../../../platform/config.ts';
import {
  type AllowHttp,
  createEgressGuard,
  createHttpPolicy,
  type EgressGuard,
} from '../../../platform/outbound/index.ts';

/** What can be told of an address without asking anybody. */
export interface UrlPolicy {
  egress: Pick<EgressGuard, 'checkHostForm'>;
  allowHttp: AllowHttp;
}

export type UrlPolicyConfig = Pick<Config, 'egressAllow' | 'insecureHosts' | 'allowHttpWebhooks'>;

/** The same rules that sending follows, as far as an address alone can break them. */
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

/** What keeps an address from being a webhook's: its form, its scheme, a literal address or a name that can only be local. */
export function findUrlIssues(text: string, { egress, allowHttp }: UrlPolicy): UrlIssue[] {
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

/** `scheme://host/…`: what everybody may see. Whoever knows the rest of a webhook's address can send to it. */
export function maskUrl(text: string): string {
  const url = parseWebhookUrl(text);
  if (url === null) throw new Error('masking requires a validated URL');
  return `${url.protocol}//${url.host}/…`;
}

function parseWebhookUrl(text: string): URL | null {
  // A URL parser drops white space and control characters, so that two readers could see two addresses.
  if (/[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\//i.test(text)) return null;
  return URL.parse(text);
}
