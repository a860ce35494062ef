import { PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { memberRoles } from '../members/member-roles.ts';
import { SessionsSection } from './sessions-section.tsx';

export default function AccountPage() {
  const { user, organization, organizations } = useMe();
  return (
    <>
      <PageHeader title="Your account" />
      <Section title="Who you are">
        <Facts
          facts={[
            ['Name', user.name],
            ['E-mail', user.email],
            ['Organization', organization.name],
            ['Your role', `${memberRoles[organization.role].label}: ${memberRoles[organization.role].about}`],
            organizations.length > 1 && [
              'All your organizations',
              organizations.map(({ name }) => name).join(', '),
            ],
          ]}
        />
      </Section>
      <Section title="Password">
        <PasswordForm />
      </Section>
      <SessionsSection />
    </>
  );
}

function PasswordForm() {
  const change = useAction('changePassword', {
    quiet: true,
    done: 'Your password is changed. All other logins have ended.',
  });
  const form = useForm({
    initialValues: { current_password: '', new_password: '', repeated: '' },
    validate: {
      repeated: (repeated, { new_password }) =>
        repeated === new_password ? null : 'The two are not the same.',
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
          label="Present password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          {...form.getInputProps('new_password')}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          required
          {...form.getInputProps('repeated')}
        />
        <FormActions submit="Change the password" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}
