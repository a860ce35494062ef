import type { Schemas } from '../../../../src/generated/client-api.ts';

export const twoFactorLabels: Readonly<Record<Schemas['MemberTwoFactor'], string>> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  not_applicable: 'Single sign-on',
};

export const twoFactorOptions = Object.entries(twoFactorLabels).map(([value, label]) => ({ value, label }));
