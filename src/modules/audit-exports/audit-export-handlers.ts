import {
  formatSyslogUrl,
  isSyslogUrl,
  parseSyslogUrl,
  type SyslogTarget,
} from '../../domain/syslog/syslog-url.ts';
import { checkHeaders } from '../../domain/templates/check-headers.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, dueTopic, transaction, wake } from '../../platform/database/index.ts';
import { ApiError, type FieldError, invalidField, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { createSigningSecret, type SecretBox } from '../../platform/secrets/index.ts';
import { publishChanges, recordEdit } from '../audit/index.ts';
import { createUrlPolicy, findUrlIssues, maskUrl, type UrlPolicyConfig } from '../notifications/index.ts';
import {
  type AuditExportRow,
  countAuditExports,
  deleteAuditExport,
  findAuditExportToDelete,
  insertAuditExport,
  listAuditExports,
} from './audit-export-queries.ts';
import { sealExport } from './audit-export-secrets.ts';
import { dueAuditExportsTable } from './start-audit-export-loop.ts';

export interface AuditExportHandlerDeps {
  db: Database;
  secretBox: SecretBox;
  config: UrlPolicyConfig;
}

const maxExports = 50;

export function auditExportHandlers({
  db,
  secretBox,
  config,
}: AuditExportHandlerDeps): Handlers<'listAuditExports' | 'createAuditExport' | 'deleteAuditExport'> {
  const urlPolicy = createUrlPolicy(config);
  return {
    async listAuditExports({ caller }) {
      const rows = await listAuditExports(db, caller.organizationId);
      return { status: 200, body: { items: rows.map(toAuditExport) } };
    },

    async createAuditExport(request) {
      const { caller, body } = request;
      const { organizationId } = caller;
      const { name, url, headers, since } = body;
      const syslog = isSyslogUrl(url) ? checkSyslog(url, headers) : null;
      if (syslog === null) checkWebhook(url, headers);
      const signingSecret = syslog === null ? createSigningSecret() : null;
      const created = await transaction(db, async (tx) => {
        if ((await countAuditExports(tx, organizationId)) >= maxExports)
          throw new ApiError(
            'conflict',
            `An organization can have ${maxExports} audit exports. Delete one first.`,
          );
        const urlShown = syslog === null ? maskUrl(url) : formatSyslogUrl(syslog);
        const values = { name, urlShown, headerNames: Object.keys(headers), since };
        const row = await insertAuditExport(tx, organizationId, values, (id) =>
          sealExport(secretBox, organizationId, id, { url, headers, signingSecret }),
        );
        await recordEdit(tx, request, 'audit_export', { after: toAuditExport(row) });
        publishChanges(tx, organizationId, 'audit_export', [row.id], 'created');
        wake(tx, dueTopic(dueAuditExportsTable.name));
        return toAuditExport(row);
      });
      return { status: 201, body: { ...created, signing_secret: signingSecret } };
    },

    async deleteAuditExport(request) {
      const { organizationId } = request.caller;
      await transaction(db, async (tx) => {
        const row = await findAuditExportToDelete(tx, organizationId, request.path.id);
        if (!row) throw notFound();
        await deleteAuditExport(tx, organizationId, row.id);
        await recordEdit(tx, request, 'audit_export', { before: toAuditExport(row) });
        publishChanges(tx, organizationId, 'audit_export', [row.id], 'deleted');
      });
      return { status: 204 };
    },
  };

  /** Applies the same checks as for channels. */
  function checkWebhook(url: string, headers: Readonly<Record<string, string>>): void {
    throwFirst([
      ...findUrlIssues(url, urlPolicy).map(({ code, message }) => ({
        field: 'url',
        message: code === 'invalid_url' ? 'must be an https:// or syslog+tls:// URL' : message,
      })),
      ...checkHeaders(headers).map(({ name, message }) => ({
        field: name === null ? 'headers' : `headers.${name}`,
        message,
      })),
    ]);
  }

  /**
   * Allows the same hosts as for channels, and unencrypted connections only where webhooks can be sent
   * without encryption.
   */
  function checkSyslog(url: string, headers: Readonly<Record<string, string>>): SyslogTarget {
    const target = parseSyslogUrl(url);
    if (target === null)
      throw invalidField(
        'url',
        "must be syslog+tls://HOST:PORT or syslog+tcp://HOST:PORT. UDP isn't supported, because lost messages wouldn't be noticed",
      );
    const { isTls, hostname, port } = target;
    throwFirst([
      ...findUrlIssues(`${isTls ? 'https' : 'http'}://${hostname}:${port}/`, urlPolicy).map(
        ({ code, message }) => ({
          field: 'url',
          message: code === 'https_required' ? message.replace('https://', 'syslog+tls://') : message,
        }),
      ),
      ...(Object.keys(headers).length === 0
        ? []
        : [{ field: 'headers', message: "must be empty, because syslog messages don't have headers" }]),
    ]);
    return target;
  }
}

function throwFirst(errors: FieldError[]): void {
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', `${first.field} ${first.message}`, { errors });
}

function toAuditExport({
  last_entry_at,
  last_success_at,
  failing_since,
  created_at,
  updated_at,
  ...row
}: AuditExportRow): Schemas['AuditExport'] {
  return {
    ...row,
    last_entry_at: last_entry_at?.toISOString() ?? null,
    last_success_at: last_success_at?.toISOString() ?? null,
    failing_since: failing_since?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
