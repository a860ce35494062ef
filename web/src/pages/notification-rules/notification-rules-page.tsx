import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationRulesPage() {
  return <PageHeader title="NotificationRules" />;
}
