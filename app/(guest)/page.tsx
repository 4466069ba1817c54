import { LoginForm } from "@/components/accounts/login-form";
import { GuestCard } from "@/components/shell/guest-card";
import { landingOf } from "@/components/shell/menu";
import { Link } from "@/components/ui/link";
import { returnPath } from "@/lib/accounts/schema";
import { currentUser } from "@/lib/auth/session";

type Props = { searchParams: Promise<{ unauthorized?: string | string[]; url?: string | string[] }> };

export default async function LoginPage({ searchParams }: Props) {
  const query = await searchParams;
  const url = [query.url].flat()[0] ?? null;
  const unauthorized = query.unauthorized !== undefined;
  const user = await currentUser();
  return (
    <GuestCard title="Login">
      {user && !unauthorized && (
        <p className="muted">
          You are signed in as {user.firstName} {user.lastName}.{" "}
          <Link href={returnPath(url) ?? landingOf(user).href} className="link">
            Continue
          </Link>
        </p>
      )}
      <LoginForm failure={unauthorized ? "Unauthorized Request" : null} url={url} />
    </GuestCard>
  );
}
