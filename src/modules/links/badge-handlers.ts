import type { Database } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import type { TokenSigner } from '../../platform/secrets/index.ts';
import { findAlertConfig } from '../monitoring/index.ts';
import { makeBadgeToken } from './badge-link.ts';

export interface BadgeDeps {
  db: Database;
  badgeSigner: TokenSigner;
  /** Public URL of the installation, without a trailing slash. */
  baseUrl: string;
}

/** Handles `GET /alert-configs/{id}/badge`, which returns the URL of the image that `serveBadges` draws. */
export function badgeHandlers({ db, badgeSigner, baseUrl }: BadgeDeps): Handlers<'getAlertConfigBadge'> {
  return {
    async getAlertConfigBadge({ caller: { organizationId }, path }) {
      const config = await findAlertConfig(db, organizationId, path.id);
      if (!config) throw notFound();
      const token = makeBadgeToken(badgeSigner, { organizationId, alertConfigId: config.id });
      const url = `${baseUrl}/badge/${token}.svg`;
      const markdown = `[![${escapeMarkdown(config.name)}](${url})](${baseUrl}/alert-configs/${config.id})`;
      return { status: 200, body: { url, markdown } };
    },
  };
}

/** Returns the text on one line, with Markdown syntax escaped. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\`*_[\]{}<>()&|!~#$:]/g, String.raw`\$&`);
}
