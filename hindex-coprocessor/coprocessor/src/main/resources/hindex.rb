# The command line in HBase's shell, which finds this file in the jar:
#
#   require 'hindex'
#   hindex 'verify', 'people', 'by_city'
#
# Words are those of bin/hindex. Says 0 if all is well, 1 if something was found, 2 if it could not be done.
def hindex(*words)
  Java::IoLeewayHindex::HindexCommand.run(words.map(&:to_s).to_java(:string))
end
