import type { SecretBox } from '../../platform/secrets/index.ts';

export const sealedExportColumns = ['url_sealed', 'headers_sealed', 'secret_sealed'] as const;
export type SealedExport = Record<(typeof sealedExportColumns)[number], Buffer>;

/** In the clear: never stored, logged, or returned, except for the signing secret of a new export. */
export interface ExportSecrets {
  url: string;
  headers: Readonly<Record<string, string>>;
  signingSecret: string;
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
    secret_sealed: seal('secret_sealed', signingSecret),
  };
}

/** @throws SecretBoxError when a value was sealed with a key that isn't known here */
export function openExport(
  secretBox: SecretBox,
  organizationId: number,
  id: number,
  sealed: SealedExport,
): ExportSecrets {
  const open = (column: keyof SealedExport) =>
    secretBox.openText(sealed[column], { organizationId, table: 'audit_exports', rowId: id, column });
  return {
    url: open('url_sealed'),
    headers: JSON.parse(open('headers_sealed')) as Record<string, string>,
    signingSecret: open('secret_sealed'),
  };
}
