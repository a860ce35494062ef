import {
  assignGroup,
  type CatalogEntry,
  github,
  gitTagsOf,
  officialImage,
  threePartVersionPattern,
  unprefixedVersionPattern,
  vPrefixedVersionPattern,
} from './catalog-entry.ts';

/** Applications that teams host for themselves. */
export const applicationCatalog: readonly CatalogEntry[] = assignGroup('Applications', [
  {
    name: 'Nextcloud',
    vulnerability_packages: ['Bitnami/nextcloud'],
    lifecycle_product: 'nextcloud',
    ...officialImage('nextcloud', threePartVersionPattern),
    project_url: 'https://github.com/nextcloud/server',
    description: 'Files and calendars, by its official image.',
  },
  {
    name: 'WordPress',
    vulnerability_packages: ['Bitnami/wordpress'],
    lifecycle_product: 'wordpress',
    ...gitTagsOf('WordPress/WordPress', String.raw`^\d+\.\d+(?:\.\d+)?$`),
    description: 'Web sites.',
  },
  {
    name: 'Mattermost',
    lifecycle_product: 'mattermost',
    ...github('mattermost/mattermost', vPrefixedVersionPattern),
    description: 'Chat for teams.',
  },
  {
    name: 'Rocket.Chat',
    lifecycle_product: 'rocket-chat',
    ...github('RocketChat/Rocket.Chat', String.raw`^\d+\.\d+\.\d+(?:-rc\.\d+)?$`),
    description: 'Chat for teams. The repository also releases packages.',
  },
  {
    name: 'Home Assistant',
    ...github('home-assistant/core', String.raw`^\d{4}\.\d+\.\d+.*$`),
    description: 'Home automation. Versions are dates since 2020.12; older ones are excluded.',
  },
  { name: 'Immich', ...github('immich-app/immich', vPrefixedVersionPattern), description: 'Photographs.' },
  {
    name: 'Jellyfin',
    ...github('jellyfin/jellyfin', vPrefixedVersionPattern),
    description: 'Films and music.',
  },
  {
    name: 'Vaultwarden',
    ...github('dani-garcia/vaultwarden', unprefixedVersionPattern),
    description: 'Passwords.',
  },
  {
    name: 'n8n',
    ...github('n8n-io/n8n', String.raw`^n8n@(\d+\.\d+\.\d+)$`),
    description: 'Workflows: n8n@1.94.1 is 1.94.1.',
  },
]);
