export {
  answerNext as DELETE,
  answerNext as GET,
  answerNext as PATCH,
  answerNext as POST,
  answerNext as PUT,
} from "@/lib/route";
