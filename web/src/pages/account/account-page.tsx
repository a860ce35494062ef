import { PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useMe } from '../../api/use-me.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { memberRoles } from '../members/member-roles.ts';
import { ChatAccountsSection } from './chat-accounts-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

export default function AccountPage() {
  const { user, organization, organizations } = useMe();
  return (
    <>
      <PageHeader title="Account settings" />
      <Section title="Profile">
        <Facts
          facts={[
            ['Name', user.name],
            ['Email', user.email],
            ['Organization', organization.name],
            ['Role', `${memberRoles[organization.role].label}: ${memberRoles[organization.role].about}`],
            organizations.length > 1 && ['Organizations', organizations.map(({ name }) => name).join(', ')],
          ]}
        />
      </Section>
      <IdentitiesSection />
      <ChatAccountsSection />
      <PasswordSection />
      <TwoFactorSection />
      <SessionsSection />
    </>
  );
}

/** Section to change the password. Hidden for users without a password. */
function PasswordSection() {
  const ways = useApi('listLoginProviders');
  const own = useApi('listIdentities');
  if (ways.data?.password_login === false || own.data?.has_password === false) return null;
  return (
    <Section title="Password">
      <PasswordForm />
    </Section>
  );
}

function PasswordForm() {
  const change = useAction('changePassword', {
    quiet: true,
    done: 'Password changed. All other sessions ended.',
  });
  const form = useForm({
    initialValues: { current_password: '', new_password: '', repeated: '' },
    validate: {
      repeated: (repeated, { new_password }) => (repeated === new_password ? null : "Passwords don't match."),
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ current_password, new_password }) => {
    await change.mutateAsync({ body: { current_password, new_password } });
    form.reset();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={420}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <NewPasswordField label="New password" {...form.getInputProps('new_password')} />
        <PasswordInput
          label="Confirm new password"
          autoComplete="new-password"
          required
          {...form.getInputProps('repeated')}
        />
        <FormActions submit="Change password" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}
