import type { SecretBox } from '../../platform/secrets/index.ts';

export const sealedExportColumns = ['url_sealed', 'headers_sealed', 'secret_sealed'] as const;
export type SealedExport = Record<'url_sealed' | 'headers_sealed', Buffer> & { secret_sealed: Buffer | null };

/**
 * Secrets in plaintext. They are never stored, logged, or returned, except for the signing secret of a new
 * export.
 */
export interface ExportSecrets {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null for syslog, which has no signatures. */
  signingSecret: string | null;
}

export function sealExport(
  secretBox: SecretBox,
  organizationId: number,
  id: number,
  { url, headers, signingSecret }: ExportSecrets,
): SealedExport {
  const seal = (column: keyof SealedExport, text: string) =>
    secretBox.seal(text, { organizationId, table: 'audit_exports', rowId: id, column });
  return {
    url_sealed: seal('url_sealed', url),
    headers_sealed: seal('headers_sealed', JSON.stringify(headers)),
    secret_sealed: signingSecret === null ? null : seal('secret_sealed', signingSecret),
  };
}

/** @throws SecretBoxError if a value was sealed with an unknown key */
export function unsealExportSecrets(
  secretBox: SecretBox,
  organizationId: number,
  id: number,
  sealed: SealedExport,
): ExportSecrets {
  const open = (column: keyof SealedExport, value: Buffer) =>
    secretBox.openText(value, { organizationId, table: 'audit_exports', rowId: id, column });
  const { url_sealed, headers_sealed, secret_sealed } = sealed;
  return {
    url: open('url_sealed', url_sealed),
    headers: JSON.parse(open('headers_sealed', headers_sealed)) as Record<string, string>,
    signingSecret: secret_sealed && open('secret_sealed', secret_sealed),
  };
}
